import { fstatSync } from 'node:fs'

/**
 * True if systemd's journal gets what is written to this descriptor. People other than the operator can read it, and it keeps
 * everything: https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#%24JOURNAL_STREAM
 */
export function isJournal(descriptor: number, stream: string | undefined): boolean {
  if (stream === undefined) return false
  const { dev, ino } = fstatSync(descriptor)
  return stream === `${dev}:${ino}`
}

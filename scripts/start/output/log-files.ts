import { appendFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** How much a log may hold, and whether its disk has room for lines. */
type LogLimits = {
  readonly mostBytes: number
  readonly hasRoom: () => boolean
}

/**
 * A file of lines. One that has grown large becomes the one former file that is kept. A line that cannot be written is
 * dropped and counted: no log is worth a process that stops.
 */
export class LogFile {
  readonly #file: string
  readonly #limits: LogLimits
  #bytes: number
  #dropped = 0

  constructor(file: string, limits: LogLimits) {
    this.#file = file
    this.#limits = limits
    this.#bytes = sizeOf(file)
  }

  write(line: string): void {
    if (!this.#limits.hasRoom()) {
      this.#dropped++
      return
    }
    try {
      if (this.#bytes > this.#limits.mostBytes) this.#rotate()
      const about = this.#dropped > 0 ? `${lineAbout(this.#dropped)}\n` : ''
      this.#append(`${about}${line}\n`)
      this.#dropped = 0
    } catch {
      // The disk is full or broken, which the watch on the disk tells the operator.
      this.#dropped++
      this.#removeHalfLine()
    }
  }

  #append(text: string): void {
    appendFileSync(this.#file, text, { mode: 0o600 })
    this.#bytes += Buffer.byteLength(text)
  }

  #rotate(): void {
    // Somebody else may have moved or emptied it.
    this.#bytes = sizeOf(this.#file)
    if (this.#bytes <= this.#limits.mostBytes) return
    renameSync(this.#file, `${this.#file}.1`)
    this.#bytes = 0
  }

  /** A full disk may take the first bytes of a line; its readers expect whole ones. */
  #removeHalfLine(): void {
    try {
      if (sizeOf(this.#file) > this.#bytes) truncateSync(this.#file, this.#bytes)
    } catch {
      this.#bytes = sizeOf(this.#file)
    }
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function lineAbout(dropped: number): string {
  return JSON.stringify({
    level: 'warn',
    event: 'log lines dropped',
    at: new Date().toISOString(),
    message: 'The disk had no room for them.',
    lines: dropped,
  })
}

/** The JSON object in a line, whatever wrangler wrote around it; undefined for wrangler's own messages. */
export function jsonOf(
  line: string,
): { text: string; fields: Record<string, unknown> } | undefined {
  const plain = stripVTControlCharacters(line)
  const text = plain.slice(plain.indexOf('{'), plain.lastIndexOf('}') + 1)
  if (text === '') return undefined
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined
    return { text, fields: { ...fields } }
  } catch {
    return undefined
  }
}

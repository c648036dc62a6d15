import { UsageError } from '../session/command-error.ts'

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30m`, `2h`, `1d`, or a time, as the service takes it. */
export function readSince(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = count ? nowMs - Number(count) * unitMs[unit as keyof typeof unitMs] : Date.parse(text)
  if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) {
    throw new UsageError(`--since cannot be "${text}".`, [
      'Examples: --since 30m, --since 2h, --since 2026-11-22T10:00:00Z',
    ])
  }
  return new Date(ms).toISOString()
}

import { isolateMemory } from '../../contract/isolate-memory.ts'
import { log } from '../log.ts'

/** How many refusals of strangers are logged one by one in a minute. The others are counted. */
const mostWritten = 10
const periodMs = 60_000

type Period = { since: number; written: number; counts: Map<string, number> }
const period = isolateMemory<Period>(() => ({ since: 0, written: 0, counts: new Map() }))

/** Counts refusals, so that strangers cannot fill the log for free. Routes and statuses are few, whatever is requested. */
export function noteRefusedStranger(
  { route, status }: { route: string; status: number },
  now: number,
  write: () => void,
): void {
  sumUpRefusals(now)
  const { current } = period
  if (current.written < mostWritten) {
    current.written += 1
    write()
    return
  }
  const kind = `${status} ${route}`
  current.counts.set(kind, (current.counts.get(kind) ?? 0) + 1)
}

/** Writes how many refusals of the last minute were counted, and begins another one. */
export function sumUpRefusals(now: number): void {
  const { current } = period
  const seconds = Math.round((now - current.since) / 1000)
  if (now - current.since < periodMs && now >= current.since) return
  for (const [kind, count] of current.counts) {
    const [status = '', route = ''] = kind.split(' ')
    log('info', 'requests refused', { route, status: Number(status), count, seconds })
  }
  period.current = { since: now, written: 0, counts: new Map() }
}

import type { RateWindow } from '../../contract/rate-windows.ts'
import type { WindowUse } from '../limits/rate-limit.ts'

/**
 * How many requests are counted with one write: a thousandth of the smallest limit. If a count is lost with the
 * object's memory, it is wrong by at most that.
 */
export function requestsPerWrite(windows: readonly RateWindow[]): number {
  const smallest = Math.min(...windows.map(({ limit }) => limit))
  return Math.max(1, Math.floor(smallest / 1000))
}

/** The uses as they will be when all requests of the write have been counted. */
export function countAhead(
  uses: readonly WindowUse[],
  windows: readonly RateWindow[],
): WindowUse[] {
  const ahead = requestsPerWrite(windows) - 1
  return uses.map((use) => ({ ...use, count: use.count + ahead }))
}

/** True when the stored uses count at least as many requests in the same windows. */
export function isCounted(uses: readonly WindowUse[], stored: readonly WindowUse[]): boolean {
  return uses.every(({ seconds, startedAt, count }) =>
    stored.some(
      (known) => known.seconds === seconds && known.startedAt === startedAt && known.count >= count,
    ),
  )
}

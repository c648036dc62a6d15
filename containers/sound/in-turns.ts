import { setImmediate as nextTurn } from 'node:timers/promises'

/** A few milliseconds of the slowest of such work. */
const itemsPerTurn = 50_000

/**
 * Works through many items in slices: hours of sound take their time, and the same thread answers health checks and
 * heartbeats.
 */
export async function inTurns(
  count: number,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += itemsPerTurn) {
    if (from > 0) await nextTurn()
    work(from, Math.min(count, from + itemsPerTurn))
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'

/** A few milliseconds of the slowest of such work. */
const itemsPerTurn = 50_000

/** Such pieces are looked at several times over. */
const itemsPerPiecewiseTurn = itemsPerTurn / 10

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

/** The same for work that comes in pieces of its own: a turn is over when they add up. */
export class WorkInTurns {
  #done = 0

  /** To be awaited before a piece with this many items; one of more than a turn goes by `inTurns` itself. */
  async before(items: number): Promise<void> {
    this.#done += items
    if (this.#done < itemsPerPiecewiseTurn) return
    this.#done = items
    await nextTurn()
  }
}

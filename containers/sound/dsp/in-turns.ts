import { setImmediate as nextTurn } from 'node:timers/promises'

/** The slowest work of this kind takes a few milliseconds for this many items. */
const itemsPerTurn = 50_000

/** Work in pieces passes over each item several times. */
const itemsPerPiecewiseTurn = itemsPerTurn / 10

/**
 * Works through many items in slices, because hours of sound take long and the same thread answers health checks and
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

/** For work that already comes in pieces: gives up the thread once their sizes add up to a slice. */
export class WorkInTurns {
  #done = 0

  /** Await it before a piece with this many items; use `inTurns` for pieces larger than a slice. */
  async before(items: number): Promise<void> {
    this.#done += items
    if (this.#done < itemsPerPiecewiseTurn) return
    this.#done = items
    await nextTurn()
  }
}

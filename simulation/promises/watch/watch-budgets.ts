import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'

/** Whether an account whose budget is used up gets new videos. */
export class WatchBudgets {
  readonly #world: World
  readonly #database: Database
  /** From when on the accounts are refused. */
  readonly #usedUpFrom = new Map<string, number>()

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
  }

  /** `usedUpFrom`: when every isolate knows that nothing is left; undefined if something is. */
  changed(accountId: string, usedUpFrom: number | undefined): void {
    if (usedUpFrom === undefined) this.#usedUpFrom.delete(accountId)
    else this.#usedUpFrom.set(accountId, usedUpFrom)
  }

  /** A video was stored. */
  created(videoId: string): void {
    if (this.#usedUpFrom.size === 0) return
    const [row] = this.#database.read('SELECT account_id FROM videos WHERE id = ?', videoId)
    const from = this.#usedUpFrom.get(String(row?.['account_id'])) ?? Infinity
    if (this.#world.now < from) return
    this.#world.break(`${videoId} was accepted, and the budget of its account is used up`)
  }
}

import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'

/** Whether a video is accepted although the budget of its account is used up, or the disk is full. */
export class WatchRefusals {
  readonly #world: World
  readonly #database: Database
  /** From when on the accounts are refused, also on the clock that programs read: it may be put back to before the change. */
  readonly #usedUpFrom = new Map<string, { now: number; wall: number }>()
  #diskFullFrom = Infinity
  #resultsRefusedFrom = Infinity

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
  }

  /** `knownMs`: after which time every isolate knows that nothing is left; undefined if something is. */
  changed(accountId: string, knownMs: number | undefined): void {
    const { now, loop } = this.#world
    if (knownMs === undefined) this.#usedUpFrom.delete(accountId)
    else this.#usedUpFrom.set(accountId, { now: now + knownMs, wall: loop.wall + knownMs })
  }

  /** `from`: when no request is left that has seen room; undefined if there is room. */
  diskFull(from: number | undefined): void {
    this.#diskFullFrom = from ?? Infinity
  }

  /** `from`: when every isolate knows that there is no room for results either; undefined if there is. */
  noRoomForResults(from: number | undefined): void {
    this.#resultsRefusedFrom = from ?? Infinity
  }

  /** A request that came at this moment was answered. */
  answered(url: string, { ok }: Pick<Response, 'ok'>, cameAt: number): void {
    if (ok && cameAt >= this.#resultsRefusedFrom && url.endsWith('/reports/outputs'))
      this.#world.break(`a media worker may store a result, and the disk is full: ${url}`)
  }

  /** A video was stored, by a statement that may have come long after it was sent. */
  created(videoId: string): void {
    const { now, loop, sentAt } = this.#world
    const sentNow = now - (loop.wall - sentAt)
    if (sentNow >= this.#diskFullFrom)
      this.#world.break(`${videoId} was accepted, and the disk is full`)
    if (this.#usedUpFrom.size === 0) return
    const [row] = this.#database.read('SELECT account_id FROM videos WHERE id = ?', videoId)
    const from = this.#usedUpFrom.get(String(row?.['account_id']))
    if (!from || sentNow < from.now || sentAt < from.wall) return
    this.#world.break(`${videoId} was accepted, and the budget of its account is used up`)
  }
}

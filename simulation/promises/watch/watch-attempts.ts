import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'

/** Longer than a lease, and than the time that is given to a media worker whose lease has ended unheard. */
const noticedWithinMs = 6 * 60_000
/** Longer than an alarm is late, and than clocks are put back. */
const lateMs = 25 * 60_000
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000

/** The sweep waits for so long at most before it looks again at a job whose object has not answered it. */
const sweptAgainMs = 17 * 60_000
const sweptWithinMs = 2 * 60_000

/** Whether somebody notices soon that nobody works at a job any more. */
export class WatchAttempts {
  readonly #world: World
  readonly #database: Database
  readonly #isAlive: (claim: string) => boolean
  /** Since when nobody works at an attempt that is open. */
  #left = new Map<string, number>()

  constructor(world: World, database: Database, isAlive: (claim: string) => boolean) {
    this.#world = world
    this.#database = database
    this.#isAlive = isAlive
  }

  /** Once a minute. */
  look(): void {
    const { faults, loop, now } = this.#world
    const open = this.#database.read(
      `SELECT a.job_id || '/' || a.fence AS claim, j.sweep_after AS sweptAt FROM job_attempts AS a JOIN jobs AS j ON j.id = a.job_id
       WHERE j.finished_at IS NULL AND a.finished_at IS NULL`,
    )
    const left = open.map(({ claim }) => String(claim)).filter((claim) => !this.#isAlive(claim))
    this.#left = new Map(left.map((claim) => [claim, this.#left.get(claim) ?? now]))
    const isExcused =
      faults.lastOf('alarm late') > now - lateMs ||
      faults.lastOf('clock steps') > now - lateMs ||
      faults.lastOf('object silent') > now - silentMs
    const sweptAt = new Map(open.map((one) => [String(one['claim']), Number(one['sweptAt'])]))
    for (const [claim, since] of this.#left) {
      const isToBeSwept = (sweptAt.get(claim) ?? 0) > loop.wall - sweptWithinMs
      const noticedMs = isToBeSwept ? sweptAgainMs : noticedWithinMs
      if (isExcused || now - Math.max(since, faults.lastHarmAt) < noticedMs) continue
      this.#world.break(`nobody works at ${claim} any more, and nobody has noticed it`)
    }
  }
}

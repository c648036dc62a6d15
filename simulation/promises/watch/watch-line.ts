import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'

/** After this long without a fault, everything that was lost has been found again. */
const mendedMs = 25 * 60_000
const patienceMs = 3 * 60_000
/** While nothing fails, the sweep comes every five minutes. */
const sweptMs = 6 * 60_000
/** A job that was called before a plan was changed is offered when its container has started. */
const heardMs = 60_000
/** Far more than two statements take. */
const begunWithinMs = 3_000
/** As long as a place is remembered, and one that has left may still be counted. */
const leftWithinMs = 10_000
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000

/** Whether the line moves: a job waits only while no slot is free, and nobody passes it. */
export class WatchLine {
  readonly #world: World
  readonly #database: Database
  readonly #freeSlots: () => number
  #freeSince: number | undefined
  /** When a job last came into the line or a job of a capped account last moved. */
  #changedAt = 0
  #planAt = 0
  readonly #told = new Map<string, { position: number; at: number; isAlone: boolean }>()

  constructor(world: World, database: Database, freeSlots: () => number) {
    this.#world = world
    this.#database = database
    this.#freeSlots = freeSlots
  }

  /**
   * A media worker has begun with a job. Unless something fails, none is offered that its account may not have at work, and one
   * that was taken has begun at once.
   */
  begins(claim: string): void {
    const { now, loop } = this.#world
    if (!this.#isCalmSince(now)) return
    const [jobId = '', fence = ''] = claim.split('/')
    loop.in(begunWithinMs, () => {
      if (this.#isCalmSince(now) && !this.#hasBegun(jobId, fence))
        this.#world.break(`a media worker has taken ${jobId}, which has not begun`)
    })
    this.#judgeOrder(jobId)
    this.#judgeCap(jobId)
  }

  /** The jobs of an account begin in the order in which they came. */
  #judgeOrder(jobId: string): void {
    const { now, loop } = this.#world
    const older = this.#olderThan(jobId)
    if (older.length === 0) return
    loop.in(heardMs, () => {
      const left = this.#isCalmSince(now) ? older.find((id) => this.#waits(id)) : undefined
      if (left === undefined) return
      this.#world.break(
        `${left} still waits, and ${jobId} of the same account came later and began`,
      )
    })
  }

  #judgeCap(jobId: string): void {
    const [found] = this.#database.read(
      `SELECT a.max_running AS most, (SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND r.status = 'running') AS running
       FROM jobs AS j JOIN accounts AS a ON a.id = j.account_id WHERE j.id = ? AND j.finished_at IS NULL`,
      jobId,
    )
    if (!found || found['most'] === null || Number(found['running']) < Number(found['most'])) return
    this.#world.break(`${jobId} was offered, and as many of its account are at work as may be`)
  }

  /** Jobs of the same account that came before this one, and have stood in line for a while. */
  #olderThan(jobId: string): string[] {
    const sql = `SELECT j.id FROM jobs AS o JOIN videos AS m ON m.id = o.video_id
      JOIN videos AS v ON v.account_id = m.account_id JOIN jobs AS j ON j.video_id = v.id
      WHERE o.id = ?1 AND v.status = 'queued' AND v.created_at < m.created_at - ?2 AND v.updated_at < ?3`
    const { wall } = this.#world.loop
    return this.#database.read(sql, jobId, heardMs, wall - heardMs).map(({ id }) => String(id))
  }

  #waits(jobId: string): boolean {
    const sql =
      "SELECT v.id FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE j.id = ? AND v.status = 'queued'"
    return this.#database.read(sql, jobId).length > 0
  }

  #hasBegun(jobId: string, fence: string): boolean {
    const sql = `SELECT j.id FROM jobs AS j WHERE j.id = ?1 AND j.finished_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM job_attempts AS a WHERE a.job_id = ?1 AND a.fence = ?2)`
    return this.#database.read(sql, jobId, Number(fence)).length === 0
  }

  /** Whether nothing has failed for so long before this moment, nor since, that media workers and jobs know of each other. */
  #isCalmSince(moment: number): boolean {
    const { faults } = this.#world
    const lastAt = Math.max(faults.lastHarmAt, faults.lastOf('object silent') + silentMs)
    return Math.max(lastAt + mendedMs, this.#planAt + heardMs) <= moment
  }

  /** When an account was last given another plan. */
  get planChangedAt(): number {
    return this.#planAt
  }

  /** Somebody has come, or a job went back to the line. */
  changed(): void {
    this.#changedAt = this.#world.now
  }

  /** An account may have more at work, or less. */
  planChanged(): void {
    this.changed()
    this.#planAt = this.#world.now
    this.#freeSince = undefined
  }

  /**
   * The place that a customer was told. While the jobs of one account alone wait, it only falls; those of another may pass
   * them where a media worker takes no more of this account for a while.
   */
  told(videoId: string, position: number): void {
    const before = this.#told.get(videoId)
    const isAlone = this.#isOneAlone()
    this.#judgePlace(videoId, position)
    this.#told.set(videoId, { position, at: this.#world.now, isAlone })
    if (!before?.isAlone || !isAlone || position <= before.position) return
    const { faults } = this.#world
    const lastAt = Math.max(faults.lastHarmAt, faults.lastOf('object silent') + silentMs)
    // Answers are remembered for two seconds.
    const quietSince = Math.max(lastAt + mendedMs, this.#changedAt + 5_000)
    if (quietSince > before.at) return
    this.#world.break(`${videoId} went back in line from ${before.position} to ${position}`)
  }

  /** Nobody stands behind more than those that wait. Places are remembered for two seconds, and a turn is soon over. */
  #judgePlace(videoId: string, position: number): void {
    const { now, loop } = this.#world
    if (!this.#isCalmSince(now)) return
    const sql = "SELECT count(*) AS n FROM videos WHERE status = 'queued' OR updated_at > ?"
    const waiting = Number(this.#database.read(sql, loop.wall - leftWithinMs)[0]?.['n'])
    if (position > waiting)
      this.#world.break(`${videoId} has the place ${position}, and ${waiting} wait`)
  }

  /** Once a minute. */
  look(): void {
    const { now, faults, loop } = this.#world
    if (this.#freeSlots() === 0) this.#freeSince = undefined
    else this.#freeSince ??= now
    const since = Math.max(
      this.#freeSince ?? now,
      faults.lastHarmAt + mendedMs,
      faults.lastOf('object silent') + silentMs,
    )
    if (now - since < patienceMs) return
    // That a job of before has left its slot may not have been heard. While one of a capped account waits, the sweep puts that right.
    const waiting = this.#database.read(
      `SELECT v.id FROM videos AS v JOIN accounts AS a ON a.id = v.account_id
       WHERE v.status = 'queued' AND v.updated_at < ?1 AND (a.max_running IS NULL OR a.max_running > (
         SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND (r.status = 'running' OR r.finished_at > ?2))
         AND (v.updated_at < ?3 OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.account_id = a.id AND j.started_at > ?4)))`,
      ...[loop.wall - patienceMs, loop.wall - heardMs, loop.wall - sweptMs],
      Math.max(0, loop.wall - (now - faults.lastHarmAt)),
    )
    for (const { id } of waiting) this.#world.break(`${String(id)} waits while a slot is free`)
  }

  #isOneAlone(): boolean {
    const sql = `SELECT count(DISTINCT account_id) AS accounts FROM videos WHERE status = 'queued'`
    return Number(this.#database.read(sql)[0]?.['accounts']) <= 1
  }
}

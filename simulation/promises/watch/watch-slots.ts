import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'
import type { Answered } from '../../platform/objects.ts'
import type { ObjectStorage } from '../../platform/storage.ts'

type Borrower = { jobId: string; accountId: string }
/** What the object of a job stores of its film. */
type Film = { fence: number; slots: number[] }
type Part = { slot: number; endedAt?: number }
type Parts = {
  world: World
  database: Database
  freeSlots: () => number
  /** How many there are in all; endless where each job has a container. */
  slots: () => number
  /** Those that run, by the names of their jobs. */
  containers: () => readonly { name: string; worker?: unknown }[]
  /** What the object of a job remembers. */
  job: (jobId: string) => Pick<ObjectStorage, 'kv'> | undefined
  /** When the operator last changed what an account may have at work. */
  planChangedAt: () => number
  /** Whether a media worker that lives works at this claim. */
  isAlive: (claim: string) => boolean
}

/** After this long without a fault, everything that was lost has been found again. */
const mendedMs = 25 * 60_000
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000
/** As much as it takes to call the next job. */
const promptMs = 2_500
/** Longer than a slow call takes with which a job enters the line. */
const enteredMs = 30_000
const lookMs = 500
/** An account of which a media worker takes nothing more lets others pass for 15 s. */
const passedMs = 20_000
/** Jobs tell every half a minute which slots they have, and more than one call may fail. */
const toldMs = 3 * 60_000
/** A job that does not say for this long that it still has its lent slots has them no more. */
const lentMs = 90_000
/** A job tells again which slots it has within the first of these times; those of which it tells nothing are forgotten within the second. */
const looksAtLentMs = [60_000, lentMs + 5_000]
/** A film tells every half a minute which slots it has, and may be late by as much after a step of the clocks. */
const silentFilmMs = 66_000
const watchedMs = 4 * 60_000
/** Longer than a slot stays with a film that has no use for it. */
const idleMs = 20_000
const hopMs = 5_000
/** To the jobs of one account; the operator allows one part more, with that of the job itself. */
export const mostLent = 3
/** Longer than it takes to end a job and what was held for it. */
const releasedWithinMs = 30_000

/** Whether slots change hands as they should: not before they are free, at once when they are, and each once. */
export class WatchSlots {
  readonly #parts: Parts
  /** Until when each slot is lent, by job and number. */
  readonly #lent = new Map<string, number>()
  /** When each job last told which slots it has, whatever the clock says. */
  readonly #toldAt = new Map<string, number>()
  #lastOfferAt = 0
  /** When a media worker last did not take a job of an account that it was offered. */
  readonly #passedAt = new Map<string, number>()
  /** When somebody has first told how fast it worked. */
  #paceKnownAt = Infinity
  /** Jobs that went on without their slots. They take others later, of which the dispatcher hears nothing. */
  readonly #beside = new Set<string>()

  /** The jobs that have entered the line. */
  readonly #entered = new Set<string>()

  /** How often a slot was lent so far, also for less than a second. */
  everLent = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** How many slots are lent to jobs beside their own. */
  get lent(): number {
    const { wall } = this.#parts.world.loop
    return [...this.#lent.values()].filter((until) => until > wall).length
  }

  /** The object of a job has answered a call of the dispatcher. */
  heardJob({ name: jobId, method, given, answer, cameAt }: Answered): void {
    if (method !== 'answerCall') return
    this.#offered(jobId, answer)
    this.#tellsPaces(jobId, given[1], cameAt)
  }

  /** When one job has told how fast it worked, all that come later are told of it. */
  #tellsPaces(jobId: string, paces: unknown, cameAt: number): void {
    if (this.#paceKnownAt + hopMs < cameAt && Object.keys(paces as object).length === 0)
      this.#parts.world.break(`${jobId} is told of no pace, and there is one`)
  }

  /** A media worker is done with its work. If its job has ended, nothing is held for it any more. */
  workOver(claim: string): void {
    const { containers, database, world } = this.#parts
    const [jobId = '', fence = ''] = claim.split('/')
    if (!this.#beside.has(jobId)) void this.#lookLater()
    const ownOf = () => containers().find(({ name }) => name === jobId)?.worker
    const own = ownOf()
    world.loop.in(hopMs, () => {
      const sql = 'SELECT 1 FROM job_attempts WHERE job_id = ? AND fence = ? AND finished_at < ?'
      const before = world.loop.wall - hopMs / 2
      if (!own || !this.#isCalm || ownOf() !== own) return
      if (database.read(sql, jobId, Number(fence), before).length > 0)
        world.break(`attempt ${fence} of ${jobId} is over, and its container still runs`)
    })
    world.loop.in(releasedWithinMs, () => {
      const sql = 'SELECT id FROM jobs WHERE id = ? AND fence = ? AND finished_at IS NOT NULL'
      if (!this.#isCalm || database.read(sql, jobId, Number(fence)).length === 0) return
      const left = containers().find(({ name }) => name.split(':')[0] === jobId)
      if (left) world.break(`${jobId} has ended, and the container ${left.name} still runs`)
    })
  }

  /** A job was offered. If no media worker took it, others may pass its account. */
  #offered(jobId: string, outcome: unknown): void {
    const { database, world } = this.#parts
    this.#lastOfferAt = world.now
    if (outcome === 'started' || outcome === 'over') return
    const [job] = database.read('SELECT account_id AS account FROM jobs WHERE id = ?', jobId)
    if (job) this.#passedAt.set(String(job['account']), world.now)
  }

  /** The dispatcher has answered. */
  heard({ method, given, answer, cameAt }: Answered): void {
    switch (method) {
      case 'enter': {
        const { jobId } = given[0] as { jobId: string }
        this.#entered.add(jobId)
        return this.#tellsPaces(jobId, (answer as { paces: unknown }).paces, cameAt)
      }
      case 'left':
        if ((given[2] as unknown[] | undefined)?.length)
          this.#paceKnownAt = Math.min(this.#paceKnownAt, this.#parts.world.now)
        if (given[1] === true) this.#freed(String(given[0]))
        return
      case 'offered':
        return this.#offered(String(given[0]), given[1])
      case 'leftSlot':
        void this.#lookLater()
        this.#beside.add(String(given[0]))
        return
      case 'idleFor':
        return this.#offersIdle(given[0] as Borrower, (answer as { idle: number }).idle)
      case 'lend':
        if (answer !== true) return
        this.everLent++
        this.#keep(given[0] as { jobId: string }, [Number(given[1])])
        return this.#lends(String((given[0] as { jobId: string }).jobId))
      case 'keepLent':
        return this.#keep(given[0] as { jobId: string }, given[1] as number[])
      case 'giveBack':
        return this.#giveBack(String(given[0]), given[1] as number[] | 'all')
    }
  }

  /** A job borrows no more than half of all slots, and all jobs of an account no more than the operator allows. */
  #offersIdle({ jobId, accountId }: Borrower, idle: number): void {
    const { database, slots, world } = this.#parts
    const { faults, now, loop } = world
    if (Math.max(faults.lastHarmAt + toldMs, faults.lastOf('object silent') + silentMs) > now)
      return
    const own = new Set(
      database
        .read('SELECT id FROM jobs WHERE account_id = ?', accountId)
        .map(({ id }) => String(id)),
    )
    const lent = [...this.#lent].flatMap(([name, until]) =>
      until > loop.wall ? [name.split(' ')[0] ?? ''] : [],
    )
    const ofJob = lent.filter((of) => of === jobId).length
    const ofAccount = lent.filter((of) => own.has(of)).length
    const most = Math.min(Math.ceil(slots() / 2) - ofJob, mostLent - ofAccount)
    if (idle > Math.max(0, most))
      world.break(`${jobId} may borrow ${idle} slots, of ${most} that are for it`)
  }

  /** An account with a cap has no more slots than that, with those that are lent to it. */
  #lends(jobId: string): void {
    const { database, planChangedAt, world } = this.#parts
    const [waits] = this.#isCalm ? this.#waiting(world.loop.wall, world.now) : []
    if (waits !== undefined) world.break(`${jobId} was lent a slot, and ${waits} waits for one`)
    const began = database.read(
      'SELECT max(started_at) AS at FROM job_attempts WHERE job_id = ?',
      jobId,
    )
    // An attempt knows the cap with which it has begun.
    const { wall } = world.loop
    const { faults } = world
    const lastAt = Math.max(faults.lastHarmAt + toldMs, faults.lastOf('object silent') + silentMs)
    if (lastAt > world.now || Number(began[0]?.['at']) <= planChangedAt() + wall - world.now) return
    const sql = `SELECT j.id, a.max_running AS most, v.status FROM jobs AS o JOIN accounts AS a ON a.id = o.account_id
      JOIN jobs AS j ON j.account_id = a.id JOIN videos AS v ON v.id = j.video_id
      WHERE o.id = ? AND a.max_running IS NOT NULL`
    const rows = database.read(sql, jobId)
    const most = Number(rows[0]?.['most'] ?? Infinity)
    const own = new Set(rows.map(({ id }) => String(id)))
    const running = rows.filter(({ status }) => status === 'running').length
    const lent = [...this.#lent].filter(
      ([name, until]) => own.has(name.split(' ')[0] ?? '') && until > wall,
    ).length
    if (running + lent <= most) return
    world.break(
      `${jobId} was lent a slot, and its account has ${running + lent} of at most ${most}`,
    )
  }

  #keep({ jobId }: { jobId: string }, slots: readonly number[]): void {
    this.#toldAt.set(jobId, this.#parts.world.now)
    const until = this.#parts.world.loop.wall + lentMs
    for (const slot of slots) this.#lent.set(`${jobId} ${slot}`, until)
    if (slots.length === 0) return
    for (const ms of looksAtLentMs) this.#parts.world.loop.in(ms, () => this.#lookAtLent(jobId))
  }

  /** The clocks have stepped, and nothing else goes wrong: films go on telling which slots they have. */
  expectTold(): void {
    const { job, world } = this.#parts
    const since = world.now
    const look = (): void => {
      for (const [jobId, at] of this.#toldAt) {
        const { slots = [], fence } = (job(jobId)?.kv.get('film') as Film | undefined) ?? {}
        const run = job(jobId)?.kv.get('run') as { running?: { fence: number } } | undefined
        const isMaking = slots.length > 0 && run?.running?.fence === fence
        if (isMaking && Math.max(at, since) < world.now - silentFilmMs)
          world.break(`${jobId} has the slot ${slots.join()}, and tells nobody by the new clock`)
      }
      if (world.now < since + watchedMs) world.loop.in(hopMs, look)
    }
    look()
  }

  /** What a job does not need any more it has given back, although nobody would miss it for a while. */
  #lookAtLent(jobId: string): void {
    const { world } = this.#parts
    const wrong = this.#isCalm ? this.#wrongWith(jobId) : []
    if (wrong.length === 0) return
    world.loop.in(hopMs, () => {
      const left = this.#wrongWith(jobId).find((one) => wrong.includes(one))
      if (left !== undefined && this.#isCalm) world.break(left)
    })
  }

  #wrongWith(jobId: string): string[] {
    const unused = this.#unused(jobId)
    return [
      ...unused.map((slot) => `slot ${slot} is lent to ${jobId}, which has given it up`),
      ...this.#wrongWithFilm(jobId),
    ]
  }

  /** A film has no slot that the dispatcher does not count, nor one in which nothing has been made for a while. */
  #wrongWithFilm(jobId: string): string[] {
    const { job, world } = this.#parts
    const { wall } = world.loop
    const kv = job(jobId)?.kv
    const film = kv?.get('film') as Film | undefined
    const run = kv?.get('run') as { running?: { fence: number } } | undefined
    if (!kv || !film || run?.running?.fence !== film.fence) return []
    const parts = kv.list({ prefix: 'part/' }).map(([, part]) => part as Part)
    return film.slots.flatMap((slot) => {
      const isUntold = (this.#lent.get(`${jobId} ${slot}`) ?? 0) <= wall
      const isIdle = parts.every(
        (part) => part.slot !== slot || (part.endedAt ?? Infinity) < wall - idleMs,
      )
      return [
        ...(isUntold ? [`${jobId} has the slot ${slot}, and tells nobody for a while`] : []),
        ...(isIdle ? [`${jobId} keeps the slot ${slot}, in which nothing is made`] : []),
      ]
    })
  }

  /** The slots that are lent to a job which does not know of them. */
  #unused(jobId: string): number[] {
    const { job, world } = this.#parts
    const film = job(jobId)?.kv.get('film') as Film | undefined
    const run = job(jobId)?.kv.get('run') as { running?: { fence: number } } | undefined
    // What an attempt has borrowed ends with it.
    const isOver = film?.fence !== run?.running?.fence
    return [...this.#lent].flatMap(([name, until]) => {
      const [of, slot] = name.split(' ')
      const isUnused =
        of === jobId && until > world.loop.wall && (isOver || !film?.slots.includes(Number(slot)))
      return isUnused ? [Number(slot)] : []
    })
  }

  #giveBack(jobId: string, slots: readonly number[] | 'all'): void {
    const before = this.#lent.size
    for (const name of this.#lent.keys()) {
      const [of, slot] = name.split(' ')
      if (of === jobId && (slots === 'all' || slots.includes(Number(slot)))) this.#lent.delete(name)
    }
    if (this.#lent.size < before) void this.#lookLater()
  }

  /** A canceled job keeps its slot until its media worker has stopped. */
  #freed(jobId: string): void {
    const { database, isAlive, world } = this.#parts
    if (!this.#beside.delete(jobId)) void this.#lookLater()
    if (!this.#isCalm) return
    const sql =
      "SELECT v.id, j.fence FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE j.id = ? AND v.status = 'canceled'"
    const [row] = database.read(sql, jobId)
    if (!row || !isAlive(`${jobId}/${String(row['fence'])}`)) return
    world.break(
      `${String(row['id'])} was canceled, and its slot is given away while a media worker still works at it`,
    )
  }

  /** A slot has fallen free: the next job in line is offered at once, and not when somebody next looks for free slots. */
  async #lookLater(): Promise<void> {
    const { world } = this.#parts
    const [since, wall] = [world.now, world.loop.wall]
    if (!this.#isCalm || this.#waiting(wall, since).length === 0) return
    // Another slot may fall free just when somebody looks.
    for (const ms of [promptMs, lookMs, lookMs]) {
      await world.loop.pause(ms)
      if (!this.#isIdle(since, wall)) return
    }
    const [job] = this.#waiting(wall, since)
    world.break(`${job ?? 'a job'} was not called when a slot fell free`)
  }

  /** Whether a slot is free although jobs wait, and none was offered since. */
  #isIdle(since: number, wall: number): boolean {
    const isFree = this.#parts.freeSlots() > 0
    // A job may say that it is over a moment before its media worker is.
    const isOffered = this.#lastOfferAt >= since - promptMs
    return this.#isCalm && !isOffered && isFree && this.#waiting(wall, since).length > 0
  }

  /**
   * Jobs that came before this time, wait, are not being offered, and may begin, as nobody has just let others pass their account.
   * One whose call to the line may still be on its way is not in it.
   */
  #waiting(before: number, since: number): string[] {
    const sql = `SELECT v.id, v.account_id AS account, v.created_at AS createdAt, j.id AS job FROM videos AS v
      JOIN jobs AS j ON j.video_id = v.id JOIN accounts AS a ON a.id = v.account_id
      WHERE v.status = 'queued' AND v.created_at < ?1 AND v.updated_at < ?1 AND a.max_running IS NULL`
    return this.#parts.database
      .read(sql, before - promptMs)
      .filter(
        ({ account, job, createdAt }) =>
          (this.#passedAt.get(String(account)) ?? -passedMs) < since - passedMs &&
          (this.#entered.has(String(job)) || Number(createdAt) < before - enteredMs) &&
          !this.#isOffered(String(job)),
      )
      .map(({ id }) => String(id))
  }

  /** A container of the job may be starting. */
  #isOffered(jobId: string): boolean {
    const run = this.#parts.job(jobId)?.kv.get('run') as { offering?: true } | undefined
    return run?.offering === true
  }

  get #isCalm(): boolean {
    const { faults, now } = this.#parts.world
    return faults.lastHarmAt < now - mendedMs && faults.lastOf('object silent') < now - silentMs
  }
}

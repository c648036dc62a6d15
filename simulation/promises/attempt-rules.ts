import type { PartsRequest } from '../../worker/contract/job/part-job.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { Answered } from '../platform/objects.ts'

/** The default of the setting. */
const mostInVain = 3

const triggers = `
  CREATE TEMP TRIGGER tell_try AFTER INSERT ON main.job_attempts
  BEGIN SELECT tell('try', NEW.job_id); END;
  CREATE TEMP TRIGGER tell_lost AFTER UPDATE OF outcome ON main.job_attempts WHEN NEW.outcome = 'lost'
  BEGIN SELECT tell('lost', NEW.job_id, NEW.fence); END;
  CREATE TEMP TRIGGER tell_older AFTER UPDATE OF fence, chain ON main.jobs WHEN NEW.fence < OLD.fence OR NEW.chain < OLD.chain
  BEGIN SELECT tell('older', NEW.id); END;
  CREATE TEMP TRIGGER tell_surrender AFTER UPDATE OF error ON main.jobs WHEN NEW.error ->> '$.message' LIKE 'Gave up after %'
  BEGIN SELECT tell('surrender', NEW.id); END;
  CREATE TEMP TRIGGER tell_same_trace AFTER UPDATE OF trace ON main.job_attempts
    WHEN EXISTS (SELECT 1 FROM main.job_attempts AS a
      WHERE a.job_id = NEW.job_id AND a.fence <> NEW.fence AND a.trace ->> '$.key' = NEW.trace ->> '$.key')
  BEGIN SELECT tell('same trace', NEW.job_id); END;
  CREATE TEMP TRIGGER tell_moved AFTER UPDATE OF status ON main.videos WHEN OLD.status = 'running' AND NEW.status <> 'running'
  BEGIN SELECT tell('moved', j.id, j.fence) FROM main.jobs AS j WHERE j.video_id = NEW.id; END;
`

/** What goes wrong with the database, the bucket and messages leaves a media worker alive, and the object of its job hears it. */
const leavesAlive =
  /^(statement|bucket|upload|message|queue|alarm|tick|receiver|storage|archive|work|file|stream|courier)/
/** Longer than a lease. */
const unreachedMs = 3 * 60_000
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000
/** A media worker that lives reports more often than this. */
const reportedMs = 20_000

/** After these an object may not know what its row says: it was not answered, or what was sent before has come since. */
const unheardOf = [
  ...(['sender dies', 'statement fails', 'statement unanswered', 'statement slow'] as const),
  ...(['statement answered late', 'database full'] as const),
] as const
/** Longer than any call is on its way after the death of its sender. */
const outlivedMs = 120_000

type Reported = { fence: number; sequence: number; type: string }

/** The names that a job has kept, and the claim of the last attempt that kept a new one. */
type Kept = { names: Set<string>; fence: number }

/** A job has at most one open attempt, and no further one after too many in a row that have kept nothing new. */
export class AttemptRules {
  readonly #world: World
  readonly #database: Database
  readonly #kept = new Map<string, Kept>()
  /** Attempts of which the object of their job knows. One whose start was written and not confirmed is given up. */
  readonly #held = new Set<string>()
  /** Whether the media worker of each attempt lives, and when it was last heard. */
  readonly #isAlive = new Map<string, () => boolean>()
  readonly #reportedAt = new Map<string, number>()
  /** Which media worker was offered each claim, and which has begun with it. */
  readonly #claimed = new Map<string, string>()
  /** When the row of each attempt said that it is over. */
  readonly #movedAt = new Map<string, number>()
  /** The number of the latest report of each attempt. */
  readonly #lastSequence = new Map<string, number>()
  /** Jobs for which the database confirmed a kept name late, so that the attempt may have been over by then. */
  readonly #unsure = new Set<string>()

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
    database.watch(triggers)
  }

  /** Each claim is offered to one media worker once, and begun once. */
  readonly offered = (claim: string, worker: string): void =>
    this.#claims(claim, 'is offered to', worker)
  readonly begun = (claim: string, worker: string, isAlive: () => boolean): void => {
    this.#claims(claim, 'is begun by', worker)
    this.#isAlive.set(claim, isAlive)
  }

  /** A media worker was told to stop, or has handed its attempt back. */
  readonly ended = (claim: string, how: string): void => {
    if (how !== 'succeeded' && how !== 'failed') this.#isAlive.delete(claim)
  }

  /** What a canceled attempt would have made is lost, so one that is at work is never told so. */
  readonly canceled = (claim: string): void => {
    const [jobId = '', fence = ''] = claim.split('/')
    const sql = `SELECT 1 FROM job_attempts AS a JOIN jobs AS j ON j.id = a.job_id AND j.fence = a.fence
      WHERE a.job_id = ? AND a.fence = ? AND a.finished_at IS NULL`
    if (this.#database.read(sql, jobId, Number(fence)).length > 0)
      this.#world.break(`${claim} is at work, and its media worker is told to cancel it`)
  }

  #claims(claim: string, how: string, worker: string): void {
    const known = this.#claimed.get(`${claim} ${how}`)
    this.#claimed.set(`${claim} ${how}`, worker)
    if (known !== undefined) this.#world.break(`${claim} ${how} ${known}, and ${how} ${worker}`)
  }

  /** Called when the object of a job has answered. */
  heard({ name: jobId, method, given, answer, cameAt }: Answered): void {
    if (method === 'report' && (answer as { action: string }).action === 'carry-on')
      this.#held.add(`${jobId}/${(given[0] as { fence: number }).fence}`)
    if (method === 'report') this.#judgeMoved(jobId, given[0] as Reported, { answer, cameAt })
    if (method !== 'askParts' || answer === undefined) return
    const request = given[0] as PartsRequest
    if (request.ask === 'recall') {
      const { windows = [] } = answer as { windows?: { name: string }[] }
      for (const { name } of windows) this.#judgeTold(jobId, name)
    }
    if (request.ask !== 'keep' && request.ask !== 'remember') return
    if (this.#world.mayBeOvertaken(cameAt)) this.#unsure.add(jobId)
    if (request.ask === 'remember' && !this.#isRemembered(jobId, request.name)) return
    const { names } = this.#kept.get(jobId) ?? { names: new Set<string>() }
    if (names.has(request.name)) return
    this.#kept.set(jobId, { names: names.add(request.name), fence: request.fence })
  }

  /**
   * When a row says that an attempt is over, its media worker is told to stop at its next report, also if another life wrote the
   * row. Nobody reads the answer to a copy of an earlier report.
   */
  #judgeMoved(
    jobId: string,
    { fence, sequence, type }: Reported,
    { answer, cameAt }: Pick<Answered, 'answer' | 'cameAt'>,
  ): void {
    const claim = `${jobId}/${fence}`
    const last = this.#lastSequence.get(claim) ?? 0
    if (sequence <= last) return
    this.#lastSequence.set(claim, sequence)
    const movedAt = this.#movedAt.get(claim)
    if (movedAt === undefined || movedAt >= cameAt || type !== 'progress') return
    const { faults, now } = this.#world
    const isHeard = faults.lastOf('object silent') < now - silentMs
    const isSure = faults.lastOf('sender dies') < movedAt - outlivedMs
    const isAnswered = faults.lastOf(...unheardOf) < cameAt
    if ((answer as { action: string }).action !== 'carry-on') return
    if (isHeard && isSure && isAnswered && this.#held.has(claim))
      this.#world.break(`attempt ${fence} of ${jobId} may go on, and its row says that it is over`)
  }

  /** The service keeps words for a video once its media worker has got them, even if the video that first had them is deleted. */
  #judgeTold(jobId: string, name: string): void {
    const sql =
      "SELECT 1 FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE j.id = ? AND v.status = 'running'"
    const isRunning = this.#database.read(sql, jobId).length > 0
    if (isRunning && !this.#isRemembered(jobId, name))
      this.#world.break(`${jobId} was told words that are not kept for it`)
  }

  /** A media worker that has not named its engine keeps nothing for later jobs. */
  #isRemembered(jobId: string, name: string): boolean {
    const sql =
      'SELECT 1 FROM kept_words AS w JOIN jobs AS j ON j.video_id = w.video_id WHERE j.id = ? AND w.name = ?'
    return this.#database.read(sql, jobId, name).length > 0
  }

  /** A media worker has told something, and the service has got it. */
  reported(url: string): void {
    const [, jobId, fence] = /\/internal\/jobs\/(\w+)\/attempts\/(\d+)\/reports$/.exec(url) ?? []
    if (jobId && fence) this.#reportedAt.set(`${jobId}/${fence}`, this.#world.now)
  }

  #judgeLost(claim: string): void {
    const { faults, now, rolledOutAt } = this.#world
    const isReporting =
      this.#held.has(claim) &&
      this.#isAlive.get(claim)?.() === true &&
      (this.#reportedAt.get(claim) ?? 0) > now - reportedMs
    const isReached = !faults.struck.some(
      ({ at, mishap }) => at > now - unreachedMs && !leavesAlive.test(mishap),
    )
    const isTimed = faults.lastOf('clock steps') < now - unreachedMs
    const isHeard = isTimed && faults.lastOf('object silent') < now - silentMs
    if (isReporting && isReached && isHeard && rolledOutAt < now - unreachedMs)
      this.#world.break(`${claim} was given up for lost while its media worker reports`)
  }

  /** Called for each committed change. */
  hear(what: string, jobId: string, fence: string): void {
    if (what === 'lost') this.#judgeLost(`${jobId}/${fence}`)
    if (what === 'moved') this.#movedAt.set(`${jobId}/${fence}`, this.#world.now)
    if (what === 'older')
      this.#world.break(`${jobId} has a claim, or waits for a message, of before`)
    if (what === 'same trace') this.#world.break(`two attempts of ${jobId} have one trace`)
    if (what !== 'try' && what !== 'surrender') return
    const kept = this.#kept.get(jobId)?.fence ?? -1
    const [row] = this.#database.read(
      `SELECT count(*) FILTER (WHERE fence > ?2 AND outcome IS NOT 'released') AS n, count(*) FILTER (WHERE finished_at IS NULL) AS open
       FROM job_attempts WHERE job_id = ?1`,
      jobId,
      kept,
    )
    if (Number(row?.['open']) > 1)
      this.#world.break(`${jobId} has ${String(row?.['open'])} open attempts`)
    if (this.#unsure.has(jobId)) return
    const inVain = Number(row?.['n'])
    if (what === 'try' && inVain > mostInVain)
      this.#world.break(`${jobId} begins attempt ${inVain} since one has kept something new`)
    if (what === 'surrender' && inVain < mostInVain)
      this.#world.break(
        `${jobId} was given up ${inVain} attempts after one that kept something new`,
      )
  }
}

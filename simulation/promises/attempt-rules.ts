import type { PartsRequest } from '../../worker/contract/job/part-job.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { Answered } from '../platform/objects.ts'

/** By default. */
const mostInVain = 3

const triggers = `
  CREATE TEMP TRIGGER tell_try AFTER INSERT ON main.job_attempts
  BEGIN SELECT tell('try', NEW.job_id); END;
  CREATE TEMP TRIGGER tell_surrender AFTER UPDATE OF error ON main.jobs WHEN NEW.error ->> '$.message' LIKE 'Gave up after %'
  BEGIN SELECT tell('surrender', NEW.id); END;
`

/** What a job has kept, and the claim of the last attempt that kept something new. */
type Kept = { names: Set<string>; fence: number }

/** A job gets another attempt until as many as it may have ended one after another without keeping anything new. */
export class AttemptRules {
  readonly #world: World
  readonly #database: Database
  readonly #kept = new Map<string, Kept>()
  /** Of jobs in which the database said late that something is kept, the attempt may have been over by then. */
  readonly #unsure = new Set<string>()

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
    database.watch(triggers)
  }

  /** The object of a job has answered. */
  heard({ name: jobId, method, given, answer, cameAt }: Answered): void {
    if (method !== 'askParts' || answer === undefined) return
    const request = given[0] as PartsRequest
    if (request.ask !== 'keep' && request.ask !== 'remember') return
    if (this.#world.mayBeOvertaken(cameAt)) this.#unsure.add(jobId)
    if (request.ask === 'remember' && !this.#isRemembered(jobId, request.name)) return
    const { names } = this.#kept.get(jobId) ?? { names: new Set<string>() }
    if (names.has(request.name)) return
    this.#kept.set(jobId, { names: names.add(request.name), fence: request.fence })
  }

  /** One that has not told what it hears with keeps nothing for later jobs. */
  #isRemembered(jobId: string, name: string): boolean {
    const sql =
      'SELECT 1 FROM kept_words AS w JOIN jobs AS j ON j.video_id = w.video_id WHERE j.id = ? AND w.name = ?'
    return this.#database.read(sql, jobId, name).length > 0
  }

  /** A change that was written for good. */
  hear(what: string, jobId: string): void {
    if ((what !== 'try' && what !== 'surrender') || this.#unsure.has(jobId)) return
    const { fence = -1 } = this.#kept.get(jobId) ?? {}
    const [row] = this.#database.read(
      `SELECT count(*) AS n FROM job_attempts WHERE job_id = ? AND fence > ? AND outcome IS NOT 'released'`,
      jobId,
      fence,
    )
    const inVain = Number(row?.['n'])
    if (what === 'try' && inVain > mostInVain)
      this.#world.break(`${jobId} begins attempt ${inVain} since one has kept something new`)
    if (what === 'surrender' && inVain < mostInVain)
      this.#world.break(
        `${jobId} was given up ${inVain} attempts after one that kept something new`,
      )
  }
}

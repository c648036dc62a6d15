import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

const triggers = `
  CREATE TEMP TRIGGER tell_failed_try AFTER UPDATE OF outcome ON main.job_attempts WHEN NEW.outcome = 'failed'
  BEGIN SELECT tell('failed try', NEW.job_id, NEW.fence); END;
  CREATE TEMP TRIGGER tell_job_error AFTER UPDATE OF error ON main.jobs WHEN NEW.error IS NOT NULL
  BEGIN SELECT tell('job error', NEW.id, NEW.fence); END;
`

/** Reasons that the service has by itself, whatever the last media worker told. */
const own = ['out_of_time', 'worker_lost']

type Told = Partial<Record<'type' | 'reason' | 'message' | 'retryable', unknown>>
type Failed = {
  error: string | null
  reason: string | null
  message: string | null
  said: string | null
  attempts: number
  outcome: string | null
  fault: string | null
}

/** Why a job has failed, and each of its attempts, is what the media worker of that attempt has told. */
export class FailureRules {
  readonly #world: World
  readonly #database: Database
  readonly #toldBy: (claim: string) => Told | undefined

  /** `toldBy`: with what an attempt has ended, as its media worker tells it. */
  constructor(world: World, database: Database, toldBy: (claim: string) => Told | undefined) {
    this.#world = world
    this.#database = database
    this.#toldBy = toldBy
    database.watch(triggers)
  }

  /** Called for each committed change. */
  hear(what: string, jobId: string, fence: string): void {
    if (what !== 'failed try' && what !== 'job error') return
    const told = this.#toldBy(`${jobId}/${fence}`)
    const [row] = this.#database.read<Failed>(
      `SELECT j.error ->> '$.error' AS error, j.error ->> '$.reason' AS reason, j.error ->> '$.message' AS message,
        v.error_message AS said, j.attempts, a.outcome, a.trace ->> '$.fault' AS fault
       FROM jobs AS j JOIN videos AS v ON v.id = j.video_id
       LEFT JOIN job_attempts AS a ON a.job_id = j.id AND a.fence = ?2 WHERE j.id = ?1`,
      ...[jobId, Number(fence)],
    )
    if (!row) return
    if (what === 'job error') this.#judgeKind(jobId, row)
    if (told?.type !== 'failed' || row.outcome !== 'failed') return
    if (row.reason !== null && own.includes(row.reason)) return
    const pairs: [what: string, kept: unknown, told: unknown][] =
      what === 'failed try'
        ? [['fault', row.fault, told.message]]
        : [
            ['reason', row.reason, told.reason],
            ['message', row.message, messageOf(told, row)],
          ]
    for (const [name, kept, said] of pairs) {
      if (kept === said) continue
      this.#world.break(
        `the ${name} of attempt ${fence} of ${jobId} is ${String(kept)}, and its media worker told ${String(said)}`,
      )
    }
  }

  /** A fault of the storage is called one, and the video tells why its job has failed. */
  #judgeKind(jobId: string, { error, reason, message, said }: Failed): void {
    const expected = reason === 'storage_failed' ? 'StorageError' : 'ProcessingError'
    if (error !== expected || said !== message)
      this.#world.break(
        `${jobId} has failed with ${String(error)}, ${String(reason)}: ${String(message)}, and its video tells ${String(said)}`,
      )
  }
}

function messageOf({ message, retryable }: Told, { attempts }: Failed): string {
  const last = String(message)
  return retryable === true ? `Gave up after ${attempts} attempts. The last one: ${last}` : last
}

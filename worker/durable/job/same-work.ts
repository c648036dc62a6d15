import type { FetchedFile } from '../../contract/job/report.ts'
import { addressesNamed } from '../../contract/storages/named-storages.ts'
import { describeWork } from '../../service/reuse/describe-work.ts'
import { reusedEnding } from '../../service/reuse/reused-ending.ts'
import type { JobToRun } from '../../store/jobs/jobs.ts'
import { areStored } from '../../store/objects/objects.ts'
import { findStanding, type StandingVideo } from '../../store/videos/standing.ts'
import type { Claim } from '../../store/videos/transitions.ts'
import type { WorkIdentity } from '../../store/videos/terminal-change.ts'
import type { JobEnd, RunnerParts } from './job-end.ts'
import { unclaimed } from './job-memory.ts'

/** Ends a job with a result that exists already, so that no work is done twice. */
export class SameWork {
  readonly #parts: RunnerParts
  readonly #end: JobEnd

  constructor(parts: RunnerParts, end: JobEnd) {
    this.#parts = parts
    this.#end = end
  }

  /** Identifies the result of an attempt with these files; undefined if no other request may use it. */
  async describe(
    { video }: JobToRun,
    files: readonly FetchedFile[],
    engine: string,
  ): Promise<WorkIdentity | undefined> {
    const work = await describeWork(video, files)
    const source = files.find(({ field }) => field === video.source?.field)
    return work === undefined ? undefined : { work, engine, sourceSha256: source?.sha256 }
  }

  /** For a job that has its files. Returns whether its video has ended. */
  async endFetched(found: JobToRun, claim: Claim, made: WorkIdentity): Promise<boolean> {
    const { accountId, request } = found.video
    if (request.reuse === false) return false
    let before: string | undefined
    for (;;) {
      const same = await this.#find({ accountId, ...made })
      // The same result as before means that this video has moved on, not the other.
      if (!same || same.id === before) return false
      if (await this.#end.write(found, claim, reusedEnding(same, made))) return true
      // The other video was deleted at that moment. An earlier one may have the same result.
      before = same.id
    }
  }

  async #find(work: Parameters<typeof findStanding>[1]): Promise<StandingVideo | undefined> {
    const { env } = this.#parts
    const same = await findStanding(env.DB, work, Date.now())
    const isWhole = same && (await areStored(env.BUCKET, same.result))
    return isWhole ? same : undefined
  }

  /**
   * For a job that waits. If its only file lies in the bucket and was read before, its bytes are known; then it needs neither
   * slot nor media worker, except to say what a media worker would make it with now.
   */
  async endStored(found: JobToRun): Promise<boolean> {
    const { source, request, accountId } = found.video
    if (source?.sha256 === undefined || request.reuse === false) return false
    if (addressesNamed(request).length > 0) return false
    const { field, sha256 } = source
    const work = await describeWork(found.video, [{ field, sha256 }])
    if (work === undefined) return false
    const { env, carrier } = this.#parts
    const now = Date.now()
    // Media workers are asked only if a result may exist.
    if (!(await findStanding(env.DB, { accountId, work }, now))) return false
    for (const engine of new Set(await carrier.engines())) {
      const same = await this.#find({ accountId, work, engine })
      const made = { work, engine }
      if (same) return this.#end.write(found, unclaimed(found), reusedEnding(same, made))
    }
    return false
  }
}

import { refusedTooLong, type Refuser } from '../../service/jobs/decide-attempt.ts'
import type { Outcome } from '../../service/line/dispatching.ts'
import { firstSweepMs, type JobToRun } from '../../store/jobs/jobs.ts'
import { markRunning, requeue, type Claim, type Requeued } from '../../store/videos/transitions.ts'
import type { JobEnd } from './job-end.ts'
import type { LeaseWatch } from './lease-watch.ts'
import { offerJob, type Taken } from './offer-job.ts'
import { unclaimed, type Running, type RunState } from './run-state.ts'
import type { RunnerParts } from './runner-parts.ts'

/** Handles a job that no media worker has: it is offered until a worker takes it, and then held under a lease. */
export class UnheldJob {
  readonly #parts: RunnerParts
  readonly #end: JobEnd
  readonly #lease: LeaseWatch

  constructor(parts: RunnerParts, end: JobEnd, lease: LeaseWatch) {
    this.#parts = parts
    this.#end = end
    this.#lease = lease
  }

  async offer(
    found: JobToRun,
    known: RunState | undefined,
    interrupted: AbortSignal,
  ): Promise<Outcome> {
    const now = Date.now()
    const { job } = found
    const { carrier, memory, settings } = this.#parts
    const offered = await offerJob(carrier, settings, {
      found,
      interrupted,
      fence: Math.max(known?.fence ?? 0, job.fence),
      claim: (fence) => memory.save({ ...unheldState(found, known), fence }),
    })
    if (typeof offered === 'object') return this.#hold(found, offered, now)
    if (offered === 'refused') return this.bearRefusal(found, known, 'media-workers')
    const { fence } = memory.state() ?? { fence: job.fence }
    memory.save({ ...unheldState(found, undefined), fence })
    return offered
  }

  /**
   * No version that runs now understands the job. It waits until another version is rolled out or a rollback is over,
   * and fails if that takes too long.
   */
  async bearRefusal(found: JobToRun, known: RunState | undefined, by: Refuser): Promise<Outcome> {
    const now = Date.now()
    const { memory } = this.#parts
    const refusedSince = known?.refusedSince ?? now
    const error = refusedTooLong(by, refusedSince, now)
    if (error) {
      await this.#end.write(found, unclaimed(found), { to: 'failed', error })
      return 'over'
    }
    const { fence } = memory.state() ?? found.job
    memory.save({ ...unheldState(found, known), fence, refusedSince })
    return 'refused'
  }

  /** A media worker has accepted the job and holds it from now on, unless the video has moved on meanwhile. */
  async #hold({ job, video }: JobToRun, taken: Taken, now: number): Promise<Outcome> {
    const { carrier, env, memory, settings } = this.#parts
    const { fence, attempt } = taken
    const claim: Claim = { jobId: job.id, videoId: video.id, fence }
    const sweepAfter = now + settings.leaseMs + firstSweepMs
    if (!(await markRunning(env.DB, claim, { attempt, now, sweepAfter }))) {
      await carrier.cancel(taken.worker, job.id, fence)
      return 'over'
    }
    const leaseUntil = this.#lease.end()
    const running: Running = {
      ...taken,
      leaseUntil,
      lastSequence: 0,
      phase: 'fetching',
      // The progress of an earlier attempt was already shown, and must not go back.
      percent: video.progressPercent,
      savedPercent: video.progressPercent,
      insights: {},
      saves: 0,
      shownAt: now,
      uploads: {},
      phases: [{ name: 'fetching', startedAt: now }],
    }
    const startedAt = job.startedAt ?? now
    memory.save({ ...claim, startedAt, attempts: attempt, running })
    memory.confirm(fence)
    await this.#lease.lookAgain(leaseUntil)
    return 'started'
  }

  /** The row says running but nobody holds the job: its attempt was lost with this object's memory. */
  async putBack(found: JobToRun): Promise<Requeued> {
    const now = Date.now()
    return requeue(this.#parts.env.DB, unclaimed(found), {
      outcome: 'lost',
      attempts: found.job.attempts,
      now,
      sweepAfter: now + firstSweepMs,
    })
  }
}

function unheldState({ job, video }: JobToRun, known: RunState | undefined): RunState {
  const { refusedSince, fence = 0 } = known ?? {}
  const kept = refusedSince === undefined ? {} : { refusedSince }
  return { jobId: job.id, videoId: video.id, fence, attempts: job.attempts, ...kept }
}

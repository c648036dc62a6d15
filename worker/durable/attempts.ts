import { AppError } from '../contract/errors.ts'
import type { AttemptOutcome } from '../contract/job-record.ts'
import { isTerminal } from '../contract/video-state.ts'
import type { Report } from '../contract/report.ts'
import type { Ending } from '../service/conclude.ts'
import {
  decideAttempt,
  refusedTooLong,
  workerLost,
  type AttemptFailure,
  type Refuser,
} from '../service/decide-attempt.ts'
import { describeSuccess } from '../service/describe-success.ts'
import { endJob } from '../service/end-job.ts'
import { describeError, log } from '../service/log.ts'
import { wakeNext } from '../service/wake-next.ts'
import type { Env, Settings } from '../settings.ts'
import { findJob, firstSweepMs, type JobToRun } from '../store/jobs.ts'
import { markRunning, requeue, saveTrace, type Claim, type Requeued } from '../store/transitions.ts'
import type { JobMemory } from './job-memory.ts'
import type { MediaCarrier } from './media-worker.ts'
import { noteProgress, type HeardProgress } from './note-progress.ts'
import { offerJob, type Taken } from './offer-job.ts'
import { abortOutputs, finishOutputs } from './outputs.ts'
import { claimOf, observedTrace, type Running, type RunState } from './run-state.ts'

export type Offered = 'started' | 'busy' | 'silent' | 'refused' | 'nothing-to-do'
type Trace = Extract<Report, { type: 'failed' }>['trace']
type AttemptEnd = {
  outcome: Extract<AttemptOutcome, 'lost' | 'released' | 'failed'>
  attempts: number
  trace?: Trace
}

/** The attempts of one job, from the offer to the end of the video. Its caller lets one thing happen at a time. */
export class Attempts {
  readonly #memory: JobMemory
  readonly #env: Env
  readonly #settings: Settings
  readonly #carrier: MediaCarrier

  constructor(memory: JobMemory, env: Env, settings: Settings, carrier: MediaCarrier) {
    this.#memory = memory
    this.#env = env
    this.#settings = settings
    this.#carrier = carrier
  }

  async offer(
    found: JobToRun,
    known: RunState | undefined,
    interrupted: AbortSignal,
  ): Promise<Offered> {
    const now = Date.now()
    const { job } = found
    const offered = await offerJob(this.#carrier, this.#settings, {
      found,
      interrupted,
      fence: Math.max(known?.fence ?? 0, job.fence),
      claim: (fence) => this.#memory.save({ ...this.#unheld(found, known), fence }),
    })
    if (typeof offered === 'object') return this.#hold(found, offered, now)
    if (offered === 'refused') return this.bearRefusal(found, known, 'media-workers')
    const { fence } = this.#memory.state() ?? { fence: job.fence }
    this.#memory.save({ ...this.#unheld(found, undefined), fence })
    return offered
  }

  /** Nobody can do anything with the job as it is, until another version is rolled out or a rollback is over. */
  async bearRefusal(found: JobToRun, known: RunState | undefined, by: Refuser): Promise<Offered> {
    const now = Date.now()
    const refusedSince = known?.refusedSince ?? now
    const error = refusedTooLong(by, refusedSince, now)
    if (error) {
      await this.end(found, this.unclaimed(found), { to: 'failed', error })
      return 'nothing-to-do'
    }
    const { fence } = this.#memory.state() ?? found.job
    this.#memory.save({ ...this.#unheld(found, known), fence, refusedSince })
    return 'refused'
  }

  #unheld({ job, video }: JobToRun, known: RunState | undefined): RunState {
    const { refusedSince, fence = 0 } = known ?? {}
    const kept = refusedSince === undefined ? {} : { refusedSince }
    return { jobId: job.id, videoId: video.id, fence, attempts: job.attempts, ...kept }
  }

  /** A media worker has said yes: from now on it holds the job, unless the video has moved on. */
  async #hold({ job, video }: JobToRun, taken: Taken, now: number): Promise<Offered> {
    const { fence, attempt } = taken
    const claim: Claim = { jobId: job.id, videoId: video.id, fence }
    const sweepAfter = now + this.#settings.leaseMs + firstSweepMs
    if (!(await markRunning(this.#env.DB, claim, { attempt, now, sweepAfter }))) {
      await this.#carrier.cancel(taken.worker, job.id, fence)
      return 'nothing-to-do'
    }
    const leaseUntil = Date.now() + this.#settings.leaseMs
    const running: Running = {
      ...taken,
      leaseUntil,
      lastSequence: 0,
      phase: 'fetching',
      // How far an earlier attempt was has been shown, and is not taken back.
      percent: video.progressPercent,
      savedPercent: video.progressPercent,
      uploads: {},
      phases: [{ name: 'fetching', startedAt: now }],
    }
    const startedAt = job.startedAt ?? now
    this.#memory.save({ ...claim, startedAt, attempts: attempt, running })
    await this.lookAgain(leaseUntil)
    return 'started'
  }

  async progress(
    state: RunState,
    running: Running,
    heard: HeardProgress,
  ): Promise<'carry-on' | 'stop'> {
    const noted = await noteProgress(this.#env.DB, claimOf(state, running), running, heard)
    if (noted === 'moved-on') {
      await this.#letGo(state, running)
      return 'stop'
    }
    this.#memory.save({ ...state, running: this.renewed(noted) })
    if (noted.slotFree && !running.slotFree) await wakeNext(this.#env)
    return 'carry-on'
  }

  async succeed(
    state: RunState,
    running: Running,
    report: Extract<Report, { type: 'succeeded' }>,
  ): Promise<void> {
    const found = await findJob(this.#env.DB, state.jobId)
    if (!found) return
    if (found.video.status !== 'running') {
      await this.#letGo(state, running)
      return
    }
    const finished = await finishOutputs(this.#env.BUCKET, running.uploads, report.outputs).catch(
      (error: unknown) => {
        // The media worker is well and says it again; its result must not be given up as that of a silent one.
        this.#memory.save({ ...state, running: this.renewed(running) })
        throw error
      },
    )
    if (finished.outcome === 'failed') {
      await this.attemptFailed(state, running, finished.failure, { outcome: 'failed', ...report })
      return
    }
    const claim = claimOf(state, running)
    try {
      await this.end(found, claim, { to: 'succeeded', ...describeSuccess(report, finished) })
    } catch (error) {
      // Storage may answer when the report is sent again. Whatever else fails would fail the same way each time, and
      // must not look like a silent worker until the lease ends.
      if (error instanceof AppError) throw error
      log('error', 'a result could not be recorded', describeError(error))
      const message = 'The result could not be recorded.'
      const jobError = { error: 'ProcessingError', reason: 'internal', message } as const
      await this.end(found, claim, { to: 'failed', error: jobError, trace: report.trace })
    }
  }

  /** The row has left this attempt, and this object died before it could remember that. */
  async #letGo(state: RunState, running: Running): Promise<void> {
    await this.#backToQueue(state, running, { outcome: 'lost', attempts: running.attempt })
  }

  /** The attempt is over without a result: another one, or the end of the video. */
  async attemptFailed(
    state: RunState,
    running: Running,
    failure: AttemptFailure,
    attempt: { outcome: 'failed' | 'lost'; trace?: Trace },
  ): Promise<void> {
    const found = await findJob(this.#env.DB, state.jobId)
    if (!found) return
    const decision = decideAttempt(
      failure,
      { attempts: running.attempt, startedAt: state.startedAt ?? found.job.createdAt },
      { ...this.#settings, now: Date.now() },
    )
    if (decision.outcome === 'fail') {
      const trace = attempt.trace ?? observedTrace(running, Date.now())
      const ending: Ending = { to: 'failed', error: decision.error, trace }
      await this.end(found, claimOf(state, running), ending)
      return
    }
    await this.#backToQueue(state, running, { ...attempt, attempts: running.attempt })
  }

  async release(
    state: RunState,
    running: Running,
    report: Extract<Report, { type: 'released' }>,
  ): Promise<void> {
    const attempts = running.attempt - 1
    await this.#backToQueue(state, running, { outcome: 'released', trace: report.trace, attempts })
  }

  async lose(state: RunState, running: Running): Promise<void> {
    await this.attemptFailed(state, running, workerLost(running.phase), { outcome: 'lost' })
  }

  async #backToQueue(state: RunState, running: Running, end: AttemptEnd): Promise<void> {
    const now = Date.now()
    const times = { now, sweepAfter: now + firstSweepMs }
    const trace = end.trace ?? observedTrace(running, now)
    const claim = claimOf(state, running)
    const { moved, chain } = await requeue(this.#env.DB, claim, { ...end, trace, ...times })
    if (!moved && (await this.settleIfEnded(state))) return
    const { running: over, ...rest } = state
    this.#memory.save({ ...rest, attempts: end.attempts })
    await abortOutputs(this.#env.BUCKET, over?.uploads ?? {})
    await this.#carrier.release()
    // Not moved, it was moved before and nobody heard of it; then this message takes the place of any other.
    await this.#env.JOBS.send({ kind: 'dispatch', jobId: state.jobId, chain })
  }

  /** The row says running and nobody holds the job: its attempt was lost with this object's memory. */
  async putBack(found: JobToRun): Promise<Requeued> {
    const now = Date.now()
    return requeue(this.#env.DB, this.unclaimed(found), {
      outcome: 'lost',
      attempts: found.job.attempts,
      now,
      sweepAfter: now + firstSweepMs,
    })
  }

  /** A refused ending is right when the video has ended otherwise; else this job must not be forgotten. */
  async #requireEnded(jobId: string): Promise<void> {
    const now = await findJob(this.#env.DB, jobId)
    if (now && !isTerminal(now.video.status)) throw new Error('the ending was refused')
  }

  /** False when the video had ended already; then nothing was written. */
  async end(found: JobToRun, claim: Claim, ending: Ending): Promise<boolean> {
    await this.#memory.expectEnd()
    const ended = await endJob(this.#env, found, claim, ending)
    if (!ended) await this.#requireEnded(found.job.id)
    const known = this.#memory.state()
    const fence = Math.max(known?.fence ?? 0, claim.fence)
    await this.#memory.settle({ ...claim, attempts: found.job.attempts, ...known, fence })
    const running = known?.running
    await abortOutputs(this.#env.BUCKET, (ending.to !== 'succeeded' && running?.uploads) || {})
    // A cancel waits for no media worker: its caller frees what was held.
    if (ending.to !== 'canceled') await this.free()
    return ended
  }

  /** Makes up for an object that died between the end of its video and remembering it. */
  async settleIfEnded(state: RunState): Promise<boolean> {
    const found = await findJob(this.#env.DB, state.jobId)
    if (found && !isTerminal(found.video.status)) return false
    await this.#memory.settle(state)
    await abortOutputs(this.#env.BUCKET, state.running?.uploads ?? {})
    await this.free()
    return true
  }

  /** Ends the work of a canceled attempt, keeps what it had done, and gives its slot away. */
  async dismiss(claim: Claim, worker: string): Promise<void> {
    try {
      const trace = await this.#carrier.cancel(worker, claim.jobId, claim.fence)
      if (trace) await saveTrace(this.#env.DB, claim, trace)
    } catch (error) {
      log('warn', 'the trace of a canceled attempt was not kept', describeError(error))
    }
    await this.free()
  }

  async free(): Promise<void> {
    await this.#carrier.release()
    await wakeNext(this.#env)
  }

  /** Wakes this object at the end of the lease, or earlier where that may come too late. */
  async lookAgain(leaseUntil: number): Promise<void> {
    await this.#carrier.renew()
    await this.#memory.wakeAt(Math.min(leaseUntil, Date.now() + this.#carrier.lookMs))
  }

  unclaimed({ job, video }: JobToRun): Claim {
    return { jobId: job.id, videoId: video.id, fence: job.fence }
  }

  renewed(running: Running): Running {
    return { ...running, leaseUntil: Date.now() + this.#settings.leaseMs, heardOut: false }
  }
}

import { AppError } from '../../contract/answers/errors.ts'
import type { AttemptOutcome } from '../../contract/job/job-record.ts'
import type { OutputGrant, OutputRequest } from '../../contract/job/media-job.ts'
import type { Report, ReportAnswer } from '../../contract/job/report.ts'
import { keepTrace } from '../../service/jobs/attempt-traces.ts'
import type { Ending, StoredProof } from '../../service/jobs/conclude.ts'
import {
  decideAttempt,
  workedTooLong,
  workerLost,
  type AttemptFailure,
} from '../../service/jobs/decide-attempt.ts'
import { describeSuccess } from '../../service/jobs/describe-success.ts'
import { judgeLease } from '../../service/jobs/decide-lease.ts'
import { tellDispatcher, type OfferOutcome } from '../../service/line/dispatching.ts'
import { describeError, log } from '../../service/log.ts'
import { findJob, type JobToRun } from '../../store/jobs/jobs.ts'
import { firstSweepMs } from '../../store/sweep-times.ts'
import { markRunning, requeue, type Claim } from '../../store/videos/transitions.ts'
import { traceWithParts, type JobEnd, type RunnerParts } from './job-end.ts'
import { claimOf, liveOf, observedTrace, type Running, type RunState } from './job-memory.ts'
import { noteProgress } from './note-progress.ts'
import { abortOutputs, finishOutputs, beginOutput, neededOutputs, storedProof } from './outputs.ts'
import type { SameWork } from './same-work.ts'

type Said<Type extends Report['type']> = Extract<Report, { type: Type }>
type Trace = Said<'failed'>['trace']
type AttemptEnd = {
  outcome: Extract<AttemptOutcome, 'lost' | 'released' | 'failed'>
  attempts: number
  trace?: Trace
}

export type Holder = Pick<Running, 'fence' | 'attempt' | 'worker'>

/** Handles the attempt that holds the job under a lease: the reports of its media worker, and its silence. */
export class HeldJob {
  readonly #parts: RunnerParts
  readonly #end: JobEnd
  readonly #same: SameWork

  constructor(parts: RunnerParts, end: JobEnd, same: SameWork) {
    this.#parts = parts
    this.#end = end
    this.#same = same
  }

  /** A media worker has accepted the job and holds it from now on, unless the video has moved on meanwhile. */
  async begin({ job, video, plan }: JobToRun, taken: Holder): Promise<OfferOutcome> {
    const { carrier, env, memory, settings } = this.#parts
    const now = Date.now()
    const { fence, attempt } = taken
    const claim: Claim = { jobId: job.id, videoId: video.id, fence }
    const sweepAfter = now + settings.leaseMs + firstSweepMs
    if (!(await markRunning(env.DB, claim, { attempt, now, sweepAfter }))) {
      await carrier.cancel(taken.worker, job.id, fence)
      return 'over'
    }
    const leaseUntil = this.#leaseEnd()
    const running: Running = {
      ...taken,
      leaseUntil,
      lastSequence: 0,
      phase: 'fetching',
      // The progress of an earlier attempt was already shown, and must not go back.
      percent: video.progressPercent,
      shownBefore: video.progressPercent,
      savedPercent: video.progressPercent,
      insights: {},
      saves: 0,
      shownAt: now,
      uploads: {},
      phases: [{ name: 'fetching', startedAt: now }],
      film: {
        ...{ accountId: job.accountId, maxRunning: plan.maxRunning },
        uploadId: video.source?.uploadId,
      },
    }
    const startedAt = job.startedAt ?? now
    memory.save({ ...claim, startedAt, attempts: attempt, running })
    memory.confirm(fence)
    await this.#lookAgain(leaseUntil)
    return 'started'
  }

  async hear(state: RunState, running: Running, report: Report): Promise<ReportAnswer['action']> {
    try {
      return await this.#deal(state, running, report)
    } catch (error) {
      // The media worker is alive and will report again. Without a lease, what it has made would be given up as lost.
      const { memory } = this.#parts
      const now = memory.state()
      if (now?.running?.fence === running.fence)
        memory.save({ ...now, running: this.#renewed(now.running) })
      throw error
    }
  }

  async #deal(state: RunState, running: Running, report: Report): Promise<ReportAnswer['action']> {
    switch (report.type) {
      case 'progress':
        if (await this.#stopOverdue(state, running)) return 'stop'
        return this.#progress(state, running, report)
      case 'fetched':
        return this.#fetched(state, running, report)
      case 'succeeded':
        await this.#succeed(state, running, report)
        return 'stop'
      case 'failed':
        await this.#attemptFailed(state, running, report, {
          outcome: 'failed',
          trace: report.trace,
          proof: async () => storedProof(this.#parts.env.BUCKET, running.uploads, report),
        })
        return 'stop'
      case 'released':
        await this.#release(state, running, report)
        return 'stop'
    }
  }

  /** Grants upload addresses for one output. */
  async grant(state: RunState, running: Running, request: OutputRequest): Promise<OutputGrant> {
    const { env, memory, settings } = this.#parts
    const granted = await beginOutput(env.BUCKET, settings, state, request)
    const uploads = { ...running.uploads, [request.kind]: granted.upload }
    memory.save({ ...state, running: { ...this.#renewed(running), uploads } })
    return granted.grant
  }

  /** Ends the attempt as lost if its lease is over. */
  async judgeLease(state: RunState, running: Running): Promise<void> {
    if (!(await this.#isOver(state, running))) return
    const failure = workerLost(running.phase, this.#parts.carrier.gone())
    await this.#attemptFailed(state, running, failure, { outcome: 'lost' })
  }

  async #progress(
    state: RunState,
    running: Running,
    report: Said<'progress'>,
  ): Promise<'carry-on' | 'stop'> {
    const { env, memory } = this.#parts
    const { fence } = running
    const heard = { report, isConfirmed: memory.isConfirmed(fence) }
    const noted = await noteProgress(env.DB, claimOf(state, running), running, heard)
    if (noted === 'moved-on') {
      await this.#letGo(state, running)
      return 'stop'
    }
    if (noted.saved) memory.confirm(fence)
    memory.save({ ...state, running: this.#renewed(noted.running) })
    if (noted.running.slotFree && !running.slotFree) {
      await tellDispatcher(env, async (slots) => slots.leftSlot(state.jobId))
    }
    return 'carry-on'
  }

  /** Ends the attempt here if the same result was made before; otherwise remembers which files it has fetched. */
  async #fetched(
    state: RunState,
    running: Running,
    { files, engine, sequence }: Said<'fetched'>,
  ): Promise<'carry-on' | 'stop'> {
    const { env, memory } = this.#parts
    const found = await findJob(env.DB, state.jobId)
    if (found?.video.status !== 'running') return 'carry-on'
    const made = await this.#same.describe(found, files, engine)
    const known = { ...this.#renewed(running), lastSequence: sequence, made, engine }
    memory.save({ ...state, running: known })
    if (!made) return 'carry-on'
    return (await this.#same.endFetched(found, claimOf(state, known), made)) ? 'stop' : 'carry-on'
  }

  /** Fails the job if it has used up its time. Returns whether it did. */
  async #stopOverdue(state: RunState, running: Running): Promise<boolean> {
    const { env, settings } = this.#parts
    const { maxJobMs } = settings
    if (Date.now() - (state.startedAt ?? Date.now()) <= maxJobMs) return false
    const found = await findJob(env.DB, state.jobId)
    const trace = observedTrace(running, Date.now())
    const ending: Ending = { to: 'failed', error: workedTooLong(maxJobMs), trace }
    if (found) await this.#end.write(found, claimOf(state, running), ending)
    else await this.#forgetGone(state)
    return true
  }

  async #succeed(state: RunState, running: Running, report: Said<'succeeded'>): Promise<void> {
    const { env } = this.#parts
    const found = await findJob(env.DB, state.jobId)
    if (!found) {
      await this.#forgetGone(state)
      return
    }
    if (found.video.status !== 'running') {
      await this.#letGo(state, running)
      return
    }
    const needed = neededOutputs(found.video.request, report)
    const finished = await finishOutputs(env.BUCKET, running.uploads, report.outputs, needed)
    if (finished.outcome === 'failed') {
      const { trace } = report
      await this.#attemptFailed(state, running, finished.failure, { outcome: 'failed', trace })
      return
    }
    const claim = claimOf(state, running)
    try {
      const success = describeSuccess(report, finished)
      const isWhole = report.outputs.every(({ kind }) => success.result.outputs[kind])
      await this.#end.write(found, claim, {
        to: 'succeeded',
        report: success.report,
        result: success.result,
        made: isWhole ? running.made : undefined,
      })
    } catch (error) {
      // An AppError comes from storage, which may answer when the report is sent again. Any other error would return each
      // time, and the worker would seem silent until its lease ends, so the job fails at once.
      if (error instanceof AppError) throw error
      log('error', 'a result could not be recorded', describeError(error))
      const message = 'The result could not be recorded.'
      const jobError = { error: 'ProcessingError', reason: 'internal', message } as const
      await this.#end.write(found, claim, { to: 'failed', error: jobError, trace: report.trace })
    }
  }

  /** The video was deleted, and this object died before it could remember that it had ended. */
  async #forgetGone(state: RunState): Promise<void> {
    await this.#end.rememberIfEnded(state)
  }

  /** The row has moved on from this attempt, but this object died, or was not answered, before it could remember that. */
  async #letGo(state: RunState, running: Running): Promise<void> {
    await this.#backToQueue(state, running, { outcome: 'lost', attempts: running.attempt })
  }

  /** The attempt ended without a result: the job gets another one, or the video fails. */
  async #attemptFailed(
    state: RunState,
    running: Running,
    failure: AttemptFailure,
    attempt: {
      outcome: 'failed' | 'lost'
      trace?: Trace
      proof?: () => Promise<StoredProof | undefined>
    },
  ): Promise<void> {
    const { env, memory, settings } = this.#parts
    const found = await findJob(env.DB, state.jobId)
    if (!found) {
      await this.#forgetGone(state)
      return
    }
    // The job was handed back and the answer to that was lost: this attempt does not count.
    if (found.video.status === 'queued') {
      await this.#letGo(state, running)
      return
    }
    const attempts = running.attempt
    const known = attempt.trace ?? observedTrace(running, Date.now())
    const trace = { ...known, fault: failure.message }
    const decision = decideAttempt(
      failure,
      {
        ...{ attempts, inVain: memory.attemptsInVain(attempts) },
        startedAt: state.startedAt ?? found.job.createdAt,
      },
      { ...settings, now: Date.now() },
    )
    if (decision.outcome === 'fail') {
      const isWanted = found.video.status === 'running'
      const proof = isWanted ? await attempt.proof?.() : undefined
      const ending: Ending = { to: 'failed', error: decision.error, trace, ...(proof && { proof }) }
      await this.#end.write(found, claimOf(state, running), ending)
      return
    }
    await this.#backToQueue(state, running, { outcome: attempt.outcome, attempts, trace })
  }

  async #release(state: RunState, running: Running, { trace }: Said<'released'>): Promise<void> {
    const attempts = running.attempt - 1
    await this.#backToQueue(state, running, { outcome: 'released', trace, attempts })
  }

  async #backToQueue(state: RunState, running: Running, end: AttemptEnd): Promise<void> {
    const { carrier, env, film, memory } = this.#parts
    const now = Date.now()
    const claim = claimOf(state, running)
    const trace = traceWithParts(end.trace ?? observedTrace(running, now), film.shown(claim.fence))
    memory.doubt()
    const { moved, chain } = await requeue(env.DB, claim, {
      outcome: end.outcome,
      attempts: end.attempts,
      trace: await keepTrace(env, claim, trace),
      progress: liveOf(state),
      now,
      sweepAfter: now + firstSweepMs,
    })
    if (!moved && (await this.#end.rememberIfEnded(state))) return
    const { running: over, ...rest } = state
    memory.save({ ...rest, attempts: end.attempts })
    // This object may have died over an end that is still to be written, and the alarm of the lease rings no more.
    await memory.expectEnd()
    await film.end()
    await abortOutputs(env.BUCKET, over?.uploads ?? {})
    await carrier.release()
    await tellDispatcher(env, async (slots) => slots.left(state.jobId, true))
    // If nothing moved, it was already requeued; an extra message is harmless.
    await env.JOBS.send({
      kind: 'dispatch',
      jobId: state.jobId,
      chain,
    })
  }

  /** The end of a lease that begins now. */
  #leaseEnd(): number {
    return Date.now() + this.#parts.settings.leaseMs
  }

  /** Wakes this object at the end of the lease, or earlier if the carrier has to be checked more often. */
  async #lookAgain(leaseUntil: number): Promise<void> {
    const { carrier, memory } = this.#parts
    await carrier.renew()
    await memory.wakeAt(Math.min(leaseUntil, Date.now() + carrier.lookMs))
  }

  #renewed(running: Running): Running {
    return { ...running, leaseUntil: this.#leaseEnd(), heardOut: false }
  }

  /**
   * Whether the attempt is lost. If not, the alarm is set to the end of the lease, because renewing a lease does not
   * move the alarm.
   */
  async #isOver(state: RunState, running: Running): Promise<boolean> {
    const { carrier, memory, settings } = this.#parts
    // A worker that is no longer in the list was most likely restarted at another address.
    const heardOut = running.heardOut || !carrier.workers().includes(running.worker)
    const known = { leaseUntil: running.leaseUntil, heardOut }
    const lease = judgeLease(known, settings.leaseMs, Date.now())
    if (lease === 'over' || carrier.gone() !== undefined) return true
    if (lease !== known) memory.save({ ...state, running: { ...running, ...lease } })
    await this.#lookAgain(lease.leaseUntil)
    return false
  }
}

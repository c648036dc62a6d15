import { DurableObject } from 'cloudflare:workers'
import type { JobMessage, TurnMessage } from '../contract/job-message.ts'
import type { OutputGrant, OutputRequest } from '../contract/media-job.ts'
import type { Report, ReportAnswer } from '../contract/report.ts'
import { isTerminal } from '../contract/video-state.ts'
import type { Ending } from '../service/conclude.ts'
import { workedTooLong } from '../service/decide-attempt.ts'
import { judgeLease } from '../service/decide-lease.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env, type Settings } from '../settings.ts'
import { makeLinks } from '../service/file-links.ts'
import { findJob } from '../store/jobs.ts'
import { Attempts } from './attempts.ts'
import { JobMemory } from './job-memory.ts'
import { LiveEvents } from './live-events.ts'
import { httpMediaWorkers } from './http-media-workers.ts'
import type { MediaCarrier } from './media-worker.ts'
import { grantOutput } from './outputs.ts'
import { OwnContainer } from './own-container.ts'
import { claimOf, observedTrace, type Running, type RunState } from './run-state.ts'
import { takeTurn } from './take-turn.ts'

export type Cancel = 'canceled' | 'already-ended'
/** `send`: nobody holds the job, and its message has this number. */
export type Checkup = { found: 'held' | 'ended' | 'send'; chain?: number | undefined }

const carryOn: ReportAnswer = { action: 'carry-on' }
const stop: ReportAnswer = { action: 'stop' }

/**
 * One object per job: it claims, holds the lease, listens to the media worker and ends the video. All its work goes
 * through one queue of its own, so a report never meets a half-made claim.
 */
export class JobRunner extends DurableObject<Env> {
  readonly #settings: Settings
  readonly #carrier: MediaCarrier
  readonly #memory: JobMemory
  readonly #attempts: Attempts
  readonly #live: LiveEvents
  #last: Promise<unknown> = Promise.resolve()
  #interruption = new AbortController()
  #interrupters = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#settings = readSettings(env)
    this.#carrier = ctx.container
      ? new OwnContainer(ctx.container, this.#settings, {
          onStopped: () => this.#containerStopped(),
        })
      : httpMediaWorkers(this.#settings)
    this.#memory = new JobMemory(ctx.storage)
    this.#attempts = new Attempts(this.#memory, env, this.#settings, this.#carrier)
    this.#live = new LiveEvents({
      read: async (jobId) => (await findJob(env.DB, jobId))?.video,
      state: () => this.#memory.state(),
      links: () => makeLinks(this.#settings, Date.now()),
    })
  }

  /** The video as it changes, as server-sent events; undefined when too many follow it already. */
  follow(jobId: string): ReadableStream<Uint8Array> | undefined {
    return this.#live.follow(jobId)
  }

  get followers(): number {
    return this.#live.followers
  }

  /**
   * Offers the job to a media worker if it is its turn, unless it is held, ended or gone. Safe to call twice. Answers with
   * the message to the job whose turn it is instead, or next.
   */
  async dispatch(message: JobMessage): Promise<TurnMessage | undefined> {
    return this.#inTurn(async () => {
      const { env } = this
      const settings = this.#settings
      const memory = this.#memory
      const attempts = this.#attempts
      const interrupted = this.#interruption.signal
      return takeTurn({ env, settings, memory, attempts, interrupted }, message)
    })
  }

  async report(report: Report): Promise<ReportAnswer> {
    return this.#inTurn(async () => {
      const state = this.#memory.state()
      const running = state?.running
      if (!state || !running || running.fence !== report.fence) return stop
      if (report.sequence <= running.lastSequence) return carryOn
      switch (report.type) {
        case 'progress':
          if (await this.#stopOverdue(state, running)) return stop
          return {
            action: await this.#attempts.progress(state, running, {
              report,
              isFollowed: this.#live.followers > 0,
            }),
          }
        case 'succeeded':
          await this.#attempts.succeed(state, running, report)
          return stop
        case 'failed':
          await this.#attempts.attemptFailed(state, running, report, {
            outcome: 'failed',
            ...report,
          })
          return stop
        case 'released':
          await this.#attempts.release(state, running, report)
          return stop
      }
    })
  }

  /** Addresses for one output of the attempt that holds the job; undefined tells a stale one to stop. */
  async grant(request: OutputRequest): Promise<OutputGrant | undefined> {
    return this.#inTurn(async () => {
      const state = this.#memory.state()
      const running = state?.running
      if (!state || running?.fence !== request.fence) return undefined
      const granted = await grantOutput(this.env.BUCKET, this.#settings, state, request)
      const uploads = { ...running.uploads, [request.kind]: granted.upload }
      this.#memory.save({ ...state, running: { ...this.#attempts.renewed(running), uploads } })
      return granted.grant
    })
  }

  /** Waits for no offer: a container may take half a minute to start. */
  async cancel(jobId: string): Promise<Cancel> {
    this.#interruption.abort()
    this.#interrupters++
    try {
      return await this.#cancelInTurn(jobId)
    } finally {
      this.#interrupters--
      if (this.#interrupters === 0) this.#interruption = new AbortController()
    }
  }

  async #cancelInTurn(jobId: string): Promise<Cancel> {
    return this.#inTurn(async () => {
      const found = await findJob(this.env.DB, jobId)
      const state = this.#memory.state()
      const running = state?.running
      if (!found || isTerminal(found.video.status)) {
        // This object died before it could remember the end; the media worker may not know of it.
        if (state && running) await this.#dismissLate(state, running)
        return 'already-ended'
      }
      const claim = state && running ? claimOf(state, running) : this.#attempts.unclaimed(found)
      const trace = running && observedTrace(running, Date.now())
      const ending: Ending = { to: 'canceled', ...(trace && { trace }) }
      const ended = await this.#attempts.end(found, claim, ending)
      // Neither the media worker's answer nor the end of a container is waited for.
      this.ctx.waitUntil(
        running ? this.#attempts.dismiss(claim, running.worker) : this.#attempts.free(),
      )
      return ended ? 'canceled' : 'already-ended'
    })
  }

  async #dismissLate(state: RunState, running: Running): Promise<void> {
    await this.#attempts.settleIfEnded(state)
    this.ctx.waitUntil(this.#attempts.dismiss(claimOf(state, running), running.worker))
  }

  /** The sweep's question: is somebody at work on this job? */
  async checkUp(jobId: string): Promise<Checkup> {
    return this.#inTurn(async () => {
      const state = this.#memory.state()
      const found = await findJob(this.env.DB, jobId)
      if (!found || isTerminal(found.video.status)) return { found: 'ended' }
      if (state?.running) {
        await this.#judgeLease(state, state.running)
        return { found: 'held' }
      }
      const { chain } =
        found.video.status === 'running' ? await this.#attempts.putBack(found) : found.job
      return { found: 'send', chain }
    })
  }

  override async alarm(): Promise<void> {
    await this.#inTurn(async () => {
      const state = this.#memory.state()
      if (state?.endedAt !== undefined) {
        await this.#carrier.release()
        await this.#memory.forget()
        return
      }
      if (!state) return
      if (!state.running) {
        await this.#attempts.settleIfEnded(state)
        return
      }
      await this.#judgeLease(state, state.running)
    })
  }

  /** Loses the attempt when its lease is over, or looks again at the end of it: renewing it does not touch the alarm. */
  async #judgeLease(state: RunState, running: Running): Promise<void> {
    // One that is asked no more was most likely started anew, at another address.
    const heardOut = running.heardOut || !this.#carrier.workers().includes(running.worker)
    const known = { leaseUntil: running.leaseUntil, heardOut }
    const lease = judgeLease(known, this.#settings.leaseMs, Date.now())
    if (lease === 'over' || this.#carrier.isGone()) {
      await this.#attempts.lose(state, running)
      return
    }
    if (lease !== known) this.#memory.save({ ...state, running: { ...running, ...lease } })
    await this.#attempts.lookAgain(lease.leaseUntil)
  }

  /** Its last report has come before it, if it could make one: what still runs now is lost. */
  #containerStopped(): void {
    const reconcile = this.#inTurn(async () => {
      const state = this.#memory.state()
      if (state?.running) await this.#judgeLease(state, state.running)
    })
    // Whatever failed is logged; the alarm looks again.
    this.ctx.waitUntil(reconcile.catch(() => undefined))
  }

  /** True when the job has had all the time it may have; it has then failed. */
  async #stopOverdue(state: RunState, running: Running): Promise<boolean> {
    const { maxJobMs } = this.#settings
    if (Date.now() - (state.startedAt ?? Date.now()) <= maxJobMs) return false
    const found = await findJob(this.env.DB, state.jobId)
    const trace = observedTrace(running, Date.now())
    const ending: Ending = { to: 'failed', error: workedTooLong(maxJobMs), trace }
    if (found) await this.#attempts.end(found, claimOf(state, running), ending)
    return true
  }

  /** Runs one piece of work after another; a failure of one is its caller's, not the next one's. */
  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work).catch((error: unknown) => {
      // On its way to the caller an error loses its cause.
      log('error', 'job runner failed', { jobId: this.ctx.id.name, ...describeError(error) })
      throw error
    })
    this.#last = turn.catch(() => undefined).finally(() => this.#live.tell())
    return turn
  }
}

/** The runner of this job. */
export function jobRunner(env: Env, jobId: string): DurableObjectStub<JobRunner> {
  // wrangler.toml binds JOB_RUNNER to the class above.
  return (env.JOB_RUNNER as DurableObjectNamespace<JobRunner>).getByName(jobId)
}

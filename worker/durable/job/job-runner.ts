import { DurableObject } from 'cloudflare:workers'
import type { JobMessage } from '../../contract/job/job-message.ts'
import type { MediaJob, OutputGrant, OutputRequest } from '../../contract/job/media-job.ts'
import type {
  PartJob,
  PartOutputRequest,
  PartReport,
  PartsAnswer,
  PartsRequest,
} from '../../contract/job/part-job.ts'
import type { Paces } from '../../contract/job/paces.ts'
import type { Report, ReportAnswer } from '../../contract/job/report.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { dispatcher, tellDispatcher, type OfferOutcome } from '../../service/line/dispatching.ts'
import { describeError, log } from '../../service/log.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import type { LiveProgress } from '../../service/jobs/live-progress.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import { answerWords } from './answer-words.ts'
import { CancelJob, type Cancel } from './cancel-job.ts'
import { FilmParts } from './film-parts.ts'
import { PartGiver } from './give-part.ts'
import { HeldJob } from './held-job.ts'
import { JobEnd, type RunnerParts } from './job-end.ts'
import { JobMemory, liveOf, type Running, type RunState } from './job-memory.ts'
import { PartLedger } from './part-ledger.ts'
import { PartSlot } from './part-slot.ts'
import { LiveEvents, type Following } from '../live-events.ts'
import { httpMediaWorkers } from '../media-workers/http-media-workers.ts'
import type { OfferAnswer, PlanAnswer } from '../media-workers/media-worker.ts'
import { OwnContainer } from '../media-workers/own-container.ts'
import { partsInContainers, partsOverHttp, type PartId } from '../media-workers/part-places.ts'
import { placeInLine } from './queue-place.ts'
import { SameWork } from './same-work.ts'
import { UnheldJob } from './unheld-job.ts'

/** `send`: nobody holds the job, and its next message must have this number. */
export type Checkup = { found: 'held' | 'ended' | 'send'; chain?: number | undefined }

const carryOn: ReportAnswer = { action: 'carry-on' }
const stop: ReportAnswer = { action: 'stop' }

/**
 * One object per job: it claims the job, holds the lease, listens to the media worker and ends the video. It handles one
 * call after another, so no report meets a half-made claim.
 */
export class JobRunner extends DurableObject<Env> {
  readonly #parts: RunnerParts
  readonly #unheld: UnheldJob
  readonly #held: HeldJob
  readonly #end: JobEnd
  readonly #canceling: CancelJob
  readonly #live: LiveEvents
  readonly #giver: PartGiver
  /** Used instead of all that by an object whose container renders parts for the job of another object. */
  readonly #slot: PartSlot
  #last: Promise<unknown> = Promise.resolve()
  #interruption = new AbortController()
  #interrupters = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const settings = readSettings(env)
    const carrier = ctx.container
      ? new OwnContainer(ctx.container, settings, {
          onStopped: () => this.#containerStopped(),
          onStart: (fault) => this.#containerStarted(fault),
        })
      : httpMediaWorkers(settings)
    const memory = new JobMemory(ctx.storage)
    const inBackground = (work: Promise<void>): void => ctx.waitUntil(work)
    const film = {
      ...{ env, settings, inBackground },
      ledger: new PartLedger(ctx.storage),
      places: ctx.container
        ? partsInContainers((jobId, slot) => jobRunner(env, `${jobId}:${slot}`))
        : partsOverHttp(carrier),
    }
    const parts = new FilmParts(film)
    this.#parts = { env, settings, memory, carrier, film: parts }
    this.#giver = new PartGiver({
      ...{ ...film, parts },
      held: (fence) => this.#heldBy(fence),
      inTurn: async (work) => this.#inTurn(work),
    })
    this.#slot = new PartSlot(carrier, ctx.storage, (jobId) => jobRunner(env, jobId))
    this.#end = new JobEnd(this.#parts)
    this.#canceling = new CancelJob(this.#parts, this.#end, inBackground)
    const same = new SameWork(this.#parts, this.#end)
    this.#held = new HeldJob(this.#parts, this.#end, same)
    this.#unheld = new UnheldJob(this.#parts, this.#end, this.#held, same)
    this.#live = new LiveEvents({
      read: async (jobId) => (await findJob(env.DB, jobId))?.video,
      state: () => memory.state(),
      links: () => makeLinks(settings, Date.now()),
      place: async (jobId) => placeInLine(env, { status: 'queued', jobId }),
    })
  }

  /** Streams the video as it changes, as server-sent events, unless too many clients follow already. */
  follow(jobId: string, accountId: string): Following {
    return this.#live.follow(jobId, accountId)
  }

  /** Plans a job in the container of an object that has no job itself. */
  async plan(job: MediaJob): Promise<PlanAnswer> {
    return this.#parts.carrier.plan('container', job)
  }

  /** How far the running attempt is, if there is one. Answers from memory alone. */
  progress(): { running: LiveProgress | undefined } {
    return { running: liveOf(this.#parts.memory.state()) }
  }

  /** The row has a new name or new metadata, which the clients that follow the video are sent. */
  rowChanged(): void {
    this.#live.readAgain()
  }

  get followers(): number {
    return this.#live.followers
  }

  /** Offers the job to a media worker if there is a slot for it and it is not held, ended or gone. Safe to call twice. */
  async dispatch(message: JobMessage): Promise<void> {
    const { carrier, memory } = this.#parts
    if (carrier.startsSlowly) {
      await memory.keepMessage(message)
      return
    }
    await this.#inTurn(async () => {
      await this.#judgeLateLease()
      await this.#unheld.takeTurn(message, this.#interruption.signal)
    })
  }

  /** If this object has answered nobody for hours, the alarm of the lease rings no more, and the job may have been ended. */
  async #judgeLateLease(): Promise<void> {
    const state = this.#parts.memory.state()
    if (!state?.running || state.running.leaseUntil > Date.now()) return
    await this.#held.judgeLease(state, state.running)
  }

  /** The dispatcher calls this when there may be a slot for the job. */
  async answerCall(jobId: string, paces: Paces = {}): Promise<OfferOutcome> {
    const call = { interrupted: this.#interruption.signal, after: this.#unheld.offersOver }
    return this.#inTurn(async () => this.#unheld.answerCall(jobId, paces, call))
  }

  /** The state of the job while the attempt with this fence holds it. */
  #heldBy(fence: number): (RunState & { running: Running }) | undefined {
    const state = this.#parts.memory.state()
    const running = state?.running
    return state && running?.fence === fence ? { ...state, running } : undefined
  }

  async report(report: Report): Promise<ReportAnswer> {
    return this.#inTurn(async () => {
      const state = this.#heldBy(report.fence)
      if (!state) return stop
      const { running } = state
      if (report.sequence <= running.lastSequence) return carryOn
      // A failed attempt ends with all of its parts.
      if (report.type !== 'failed') this.#parts.film.lookAround()
      return { action: await this.#held.hear(state, running, report) }
    })
  }

  /**
   * Grants upload addresses for one output to the attempt that holds the job; undefined tells an outdated attempt to
   * stop.
   */
  async grant(request: OutputRequest): Promise<OutputGrant | undefined> {
    return this.#inTurn(async () => {
      const state = this.#heldBy(request.fence)
      return state && this.#held.grant(state, state.running, request)
    })
  }

  /** What the media worker that holds the job asks about the parts of its film; undefined tells it to stop. */
  async askParts(request: PartsRequest): Promise<PartsAnswer | undefined> {
    if (request.ask === 'give') {
      const taken = await this.#giver.give(request)
      return taken === undefined ? undefined : { taken }
    }
    const state = this.#heldBy(request.fence)
    if (!state) return undefined
    const { running } = state
    const { film, worker } = running
    const { memory } = this.#parts
    if (request.ask === 'kept') return { windows: memory.keptWindows(request.names) }
    if (request.ask === 'keep') {
      memory.keepWindow(running, request.name, request.text)
      return {}
    }
    if (request.ask === 'remember' || request.ask === 'recall') {
      const onKept = (name: string): void => memory.noteRemembered(running, name)
      return answerWords(this.#parts, state, request, onKept)
    }
    if (request.ask !== 'idle') {
      return this.#inTurn(async () => this.#answerParts(request))
    }
    const { accountId, maxRunning } = film
    const borrower = { jobId: state.jobId, accountId, maxRunning, worker }
    return dispatcher(this.env).idleFor(borrower)
  }

  async #answerParts(request: Parameters<FilmParts['answer']>[1]) {
    const state = this.#heldBy(request.fence)
    if (!state) return undefined
    const { jobId, running } = state
    const { fence, worker, film } = running
    const { accountId, maxRunning } = film
    return this.#parts.film.answer({ jobId, fence, worker, accountId, maxRunning }, request)
  }

  /** A media worker reports about the part that it renders. */
  async reportPart(report: PartReport): Promise<ReportAnswer> {
    return this.#inTurn(async () => {
      if (!this.#heldBy(report.fence)) return stop
      return { action: await this.#parts.film.hear(report) }
    })
  }

  /** Grants upload addresses for the result of a part; undefined tells its media worker to stop. */
  async grantPart(request: PartOutputRequest): Promise<OutputGrant | undefined> {
    return this.#inTurn(async () => {
      const state = this.#heldBy(request.fence)
      return state && this.#parts.film.grant(state.jobId, request)
    })
  }

  /** The parts of the attempt that runs. */
  parts(): ShownPart[] {
    const { running } = this.#parts.memory.state() ?? {}
    return running ? this.#parts.film.shown(running.fence) : []
  }

  /** The object of a part slot asks whether the job still has that slot. */
  hasSlot(fence: number, slot: number): boolean {
    return this.#heldBy(fence) !== undefined && this.#parts.film.hasSlot(fence, slot)
  }

  /** The container of a part slot has stopped. */
  async slotStopped(fence: number, slot: number): Promise<void> {
    await this.#inTurn(async () => this.#parts.film.slotStopped(fence, slot))
  }

  async carryPart(job: PartJob, slot: number): Promise<OfferAnswer> {
    return this.#slot.carry(job, slot)
  }

  async stopPart(part: PartId): Promise<void> {
    await this.#slot.stop(part)
  }

  async releaseSlot(): Promise<void> {
    await this.#slot.release()
  }

  /** Does not wait for an offer under way, because a container may take half a minute to start. */
  async cancel(jobId: string): Promise<Cancel> {
    this.#interruption.abort()
    this.#interrupters++
    try {
      return await this.#inTurn(async () => this.#canceling.cancel(jobId))
    } finally {
      this.#interrupters--
      if (this.#interrupters === 0) this.#interruption = new AbortController()
    }
  }

  /** The sweep asks this to learn whether a media worker is at work on the job. */
  async checkUp(jobId: string): Promise<Checkup> {
    return this.#inTurn(async () => {
      const state = this.#parts.memory.state()
      const found = await findJob(this.env.DB, jobId)
      if (!state?.running) await this.#parts.film.end()
      if (!found || isTerminal(found.video.status)) return { found: 'ended' }
      if (state?.running) {
        await this.#held.judgeLease(state, state.running)
        return { found: 'held' }
      }
      const { chain } =
        found.video.status === 'running' ? await this.#unheld.putBack(found) : found.job
      return { found: 'send', chain }
    })
  }

  override async alarm(): Promise<void> {
    if (this.#slot.isOne) {
      await this.#slot.look()
      return
    }
    const { memory, carrier, film } = this.#parts
    await this.#inTurn(async () => {
      if (!memory.state()?.running) await film.end()
      let message = carrier.startsSlowly ? memory.takeMessage() : undefined
      while (message) {
        await this.#unheld.takeTurn(message, this.#interruption.signal)
        message = memory.nextMessage()
      }
      const state = memory.state()
      if (state?.endedAt !== undefined) {
        await carrier.release()
        await memory.forgetLater(state.endedAt)
        return
      }
      if (!state) return
      if (!state.running) {
        if (!(await this.#end.rememberIfEnded(state))) await memory.expectEndStill()
        return
      }
      await this.#held.judgeLease(state, state.running)
    })
  }

  #containerStarted(fault: string | undefined): void {
    this.ctx.waitUntil(tellDispatcher(this.env, async (slots) => slots.containerStarted(fault)))
  }

  /** If the container could send a last report, it has arrived by now. An attempt that still runs is lost. */
  #containerStopped(): void {
    if (this.#slot.isOne) {
      this.ctx.waitUntil(this.#slot.stopped())
      return
    }
    const reconcile = this.#inTurn(async () => {
      const state = this.#parts.memory.state()
      if (state?.running) await this.#held.judgeLease(state, state.running)
    })
    // The failure is logged already, and the alarm looks again.
    this.ctx.waitUntil(reconcile.catch(() => undefined))
  }

  /** Runs one piece of work after another. A failure goes to the caller of that work and does not stop the next. */
  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work).catch((error: unknown) => {
      // Logged here, because an error loses its cause on the way to the caller.
      log('error', 'job runner failed', { jobId: this.ctx.id.name, ...describeError(error) })
      throw error
    })
    // Work that failed may have ended the video all the same, without this object remembering it.
    this.#last = turn.then(
      () => this.#live.tell(),
      () => this.#live.readAgain(),
    )
    return turn
  }
}

/** The runner of this job. */
export function jobRunner(env: Env, jobId: string): DurableObjectStub<JobRunner> {
  // wrangler.toml binds JOB_RUNNER to the class above.
  return (env.JOB_RUNNER as DurableObjectNamespace<JobRunner>).getByName(jobId)
}

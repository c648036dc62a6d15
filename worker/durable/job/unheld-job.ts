import type { JobMessage } from '../../contract/job/job-message.ts'
import type { Paces } from '../../contract/job/paces.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { buildMediaJob } from '../../service/jobs/build-media-job.ts'
import {
  isUnderstood,
  lateAt,
  overdue,
  refusedTooLong,
  type Refuser,
} from '../../service/jobs/decide-attempt.ts'
import { dispatcher, type Entering, type OfferOutcome } from '../../service/line/dispatching.ts'
import { log } from '../../service/log.ts'
import { signSources, type SignedSources } from '../../service/storages/sign-sources.ts'
import { goneUpload } from '../../service/uploads/named-uploads.ts'
import type { Settings } from '../../settings.ts'
import { findJob, keepWaiting, type JobToRun } from '../../store/jobs/jobs.ts'
import { firstSweepMs } from '../../store/sweep-times.ts'
import { outdateStarts, requeue, type Requeued } from '../../store/videos/transitions.ts'
import type { OfferAnswer } from '../media-workers/media-worker.ts'
import type { HeldJob, Holder } from './held-job.ts'
import type { JobEnd, RunnerParts } from './job-end.ts'
import { unclaimed, type RunState } from './job-memory.ts'
import type { SameWork } from './same-work.ts'

type Offer = { found: JobToRun; known: RunState | undefined; paces: Paces }
/** Handles a job that no media worker has: it stands in line, and is offered until a media worker takes it. */
export class UnheldJob {
  readonly #parts: RunnerParts
  readonly #end: JobEnd
  readonly #held: HeldJob
  readonly #same: SameWork
  /** How many offers of the job are over, and the outcome of the last. */
  #offers: { over: number; last: OfferOutcome } = { over: 0, last: 'over' }

  constructor(parts: RunnerParts, end: JobEnd, held: HeldJob, same: SameWork) {
    this.#parts = parts
    this.#end = end
    this.#held = held
    this.#same = same
  }

  /**
   * Handles a message: the job is offered if the dispatcher has a slot for it, and stands in line otherwise, where it
   * costs nothing until the dispatcher calls it. `interrupted` ends an offer under way, because a cancel is waiting.
   */
  async takeTurn(message: JobMessage, interrupted: AbortSignal): Promise<void> {
    const { env, settings } = this.#parts
    const found = await this.#findWaiting(message.jobId)
    const slots = dispatcher(env)
    if (!found && this.#isHeld) await slots.offered(message.jobId, 'started')
    if (!found || message.chain < found.job.chain) return
    if (await this.#same.endStored(found)) return
    const { may, paces } = await slots.enter(entering(found, settings))
    if (may === 'wait') {
      await this.#stayInLine(found)
      return
    }
    const outcome = await this.#offerIfUnderstood(found, paces, interrupted)
    await slots.offered(message.jobId, outcome)
    if (outcome !== 'started' && outcome !== 'over') await this.#stayInLine(found)
  }

  /**
   * Offers the job to media workers, because the dispatcher has called it. A job that has begun meanwhile says so again: a
   * dispatcher that was restarted or missed an answer would leave it out of the cap of its account. `after`: how many
   * offers were over when the call came. If one has ended since, that ended the turn of this call, which another job may
   * have got by now: then its outcome is the answer.
   */
  async answerCall(
    jobId: string,
    paces: Paces,
    { interrupted, after }: { interrupted: AbortSignal; after: number },
  ): Promise<OfferOutcome> {
    if (this.#offers.over > after) return this.#offers.last
    const found = await this.#findWaiting(jobId)
    // Another job may have made the same result while this one stood in line.
    if (found && (await this.#same.endStored(found))) return 'over'
    if (found) return this.#offerIfUnderstood(found, paces, interrupted)
    return this.#isHeld ? 'started' : 'over'
  }

  get offersOver(): number {
    return this.#offers.over
  }

  get #isHeld(): boolean {
    return this.#parts.memory.state()?.running !== undefined
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

  /** The waiting job; undefined if it is held, over or gone. One that has waited too long is ended. */
  async #findWaiting(jobId: string): Promise<JobToRun | undefined> {
    const { memory, settings } = this.#parts
    const known = memory.state()
    if (known?.running || known?.endedAt !== undefined) return undefined
    if (known) await this.#outdateOffer(known)
    const found = await this.#findUnheld(jobId)
    if (!found) {
      // This object died before it could remember the end. The dispatcher learns from the answer that the job is over.
      if (known) await this.#end.noteIfEnded(known)
      return undefined
    }
    const inVain = memory.attemptsInVain(found.job.attempts)
    const error = overdue({ ...found.job, inVain }, { ...settings, now: Date.now() })
    if (!error) return found
    await this.#end.write(found, unclaimed(found), { to: 'failed', error })
    return undefined
  }

  /**
   * This object died during an offer, and the start that it may have sent can arrive at any time. Before the job stands in
   * line again, its row gets a claim that refuses such a start: if a waiting job began by itself, its account could have
   * more at work than its cap.
   */
  async #outdateOffer(known: RunState): Promise<void> {
    const { env, memory } = this.#parts
    const { offering, ...rest } = { ...known, fence: known.fence + 1 }
    if (!offering) return
    await outdateStarts(env.DB, rest)
    memory.save(rest)
  }

  async #findUnheld(jobId: string): Promise<JobToRun | undefined> {
    const { DB } = this.#parts.env
    const found = await findJob(DB, jobId)
    if (!found || isTerminal(found.video.status)) return undefined
    if (found.video.status !== 'running') return found
    await this.putBack(found)
    return findJob(DB, jobId)
  }

  /** Notes that the job waits, so that the sweep leaves it alone for a while. Costs nothing if the row says so already. */
  async #stayInLine({ job }: JobToRun): Promise<void> {
    const now = Date.now()
    if (job.waits > 0 && job.sweepAfter > now + firstSweepMs) return
    await keepWaiting(this.#parts.env.DB, job, now)
  }

  async #offerIfUnderstood(
    found: JobToRun,
    paces: Paces,
    interrupted: AbortSignal,
  ): Promise<OfferOutcome> {
    const known = this.#parts.memory.state()
    const last = isUnderstood(found.video.request)
      ? await this.#offer({ found, known, paces }, interrupted)
      : await this.#bearUnknown(found, known)
    this.#offers = { over: this.#offers.over + 1, last }
    return last
  }

  async #bearUnknown(found: JobToRun, known: RunState | undefined): Promise<OfferOutcome> {
    log('error', 'a stored job was not understood', { jobId: found.job.id })
    return this.#bearRefusal(found, known, 'service')
  }

  async #offer(offer: Offer, interrupted: AbortSignal): Promise<OfferOutcome> {
    const { memory } = this.#parts
    const { found, known } = offer
    const signed = await this.#sign(found)
    if (signed.outcome === 'gone') {
      await this.#end.write(found, unclaimed(found), { to: 'failed', error: signed.error })
      return 'over'
    }
    const { sources } = signed
    const offered = await this.#askMediaWorkers({ ...offer, sources }, interrupted)
    if (typeof offered === 'object') {
      const outcome = await this.#held.begin(found, offered)
      return outcome === 'over' ? this.#keepPlace(found.job.id) : outcome
    }
    if (offered === 'refused') return this.#bearRefusal(found, known, 'media-workers')
    const { fence } = memory.state() ?? found.job
    memory.save({ ...unheldState(found, undefined), fence })
    return offered
  }

  async #sign({ video }: JobToRun): ReturnType<typeof signSources> {
    const { env, settings } = this.#parts
    const error = await goneUpload(env, video)
    return error ? { outcome: 'gone', error } : signSources(env, settings, video)
  }

  /**
   * The row refused the start: an earlier claim, which nobody holds any more, has started meanwhile; or the account has as
   * many at work as it may, which the dispatcher learns within a minute. A job that still waits keeps its place. One that
   * has ended is remembered as ended: nothing else would wake this object to forget it.
   */
  async #keepPlace(jobId: string): Promise<OfferOutcome> {
    const { carrier, memory } = this.#parts
    await carrier.release()
    if (await this.#findUnheld(jobId)) return 'refused'
    const known = memory.state()
    if (known) await this.#end.noteIfEnded(known)
    return 'over'
  }

  /** Asks one media worker after another until one accepts. */
  async #askMediaWorkers(
    { found, known, paces, sources }: Offer & { sources: SignedSources },
    interrupted: AbortSignal,
  ): Promise<Holder | 'busy' | 'silent' | 'refused'> {
    const { carrier, memory, settings } = this.#parts
    memory.expectAttemptAfter(found.job.attempts)
    const attempt = found.job.attempts + 1
    const answers: OfferAnswer[] = []
    let fence = Math.max(known?.fence ?? 0, found.job.fence)
    for (const worker of carrier.workers()) {
      if (interrupted.aborted) return 'silent'
      // Each worker is offered a claim of its own: if the "yes" of one is lost, it must not pass for the one that holds
      // the job. The claim is remembered before any media worker hears of it.
      fence++
      memory.save({ ...unheldState(found, known), fence, offering: true })
      const job = await buildMediaJob(settings, found, { fence, attempt, worker, paces, sources })
      const answer = await carrier.offer(worker, job, interrupted)
      if (answer === 'taken') return { fence, attempt, worker }
      answers.push(answer)
    }
    return sumUp(answers)
  }

  /**
   * No version that runs now understands the job. It waits until another version is rolled out or a rollback is over,
   * and fails if that takes too long.
   */
  async #bearRefusal(
    found: JobToRun,
    known: RunState | undefined,
    by: Refuser,
  ): Promise<OfferOutcome> {
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
}

function entering(found: JobToRun, settings: Settings): Entering {
  const { job, video, plan, latestTurn: latest, mayTryAtOnce } = found
  const { id: jobId, accountId, chain } = job
  const deadline = lateAt(job, settings)
  const { createdAt } = video
  return { jobId, accountId, createdAt, chain, deadline, plan, latest, mayTryAtOnce }
}

/**
 * A silent worker may be gone for good, so it must not keep a job waiting that all others refuse. `busy` means that any
 * free slot would do, which is not so if some workers refused the job.
 */
function sumUp(answers: readonly OfferAnswer[]): 'busy' | 'silent' | 'refused' {
  const spoke = answers.filter((answer) => answer !== 'silent')
  if (spoke.length === 0) return 'silent'
  if (spoke.every((answer) => answer === 'refused')) return 'refused'
  return spoke.includes('refused') ? 'silent' : 'busy'
}

function unheldState({ job, video }: JobToRun, known: RunState | undefined): RunState {
  const { refusedSince, fence = 0 } = known ?? {}
  const kept = refusedSince === undefined ? {} : { refusedSince }
  return { jobId: job.id, videoId: video.id, fence, attempts: job.attempts, ...kept }
}

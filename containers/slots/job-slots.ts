import type { AttemptTrace } from '../../worker/contract/job/report.ts'
import type { CancelRequest, MediaJob } from '../../worker/contract/job/media-job.ts'
import type { PartJob } from '../../worker/contract/job/part-job.ts'
import { withinMs } from '../../worker/contract/within-ms.ts'
import type { JobHold, StartedJob } from '../job/job-context.ts'
import { JobStop, type JobError, type StopReason } from '../errors/job-error.ts'
import { SlotQueue, type SlotRequest } from './slot-queue.ts'
import type { Rooms } from './share-slots.ts'

/** A whole job, or a part of one that another media worker leads. */
export type SlotJob = MediaJob | PartJob

export function isPart(job: SlotJob): job is PartJob {
  return 'kind' in job
}

type RunningJob = StartedJob & {
  readonly job: SlotJob
  readonly controller: AbortController
  readonly request: SlotRequest
}

type SlotOptions = {
  readonly graceMs?: number
  /** Whether the disk has room for another job. */
  readonly hasDisk?: () => boolean
}

type Start = (job: SlotJob, hold: JobHold) => StartedJob

/** The Worker waits 5 s for the answer to a cancel request. */
const cancelPatienceMs = 4_000

/**
 * The estimate of a job's remaining time improves while it runs. A job that will not finish in time is handed back as
 * soon as possible, so that another media worker can start it.
 */
const judgeAgainMs = 1_000
/** A job whose remaining time is still unknown keeps running if there is at least this much time left. */
const chanceMs = 120_000

function mayFinish(jobMs: number, leftMs: number): boolean {
  return jobMs === Infinity ? leftMs >= chanceMs : jobMs < leftMs
}

/**
 * The running jobs. If all slots are taken, a new job is refused rather than queued: the Worker has other media workers
 * to ask.
 */
export class JobSlots {
  readonly #start: Start
  readonly #hasDisk: () => boolean
  readonly #queue: SlotQueue
  readonly #running = new Set<RunningJob>()
  #isClosed = false

  constructor(rooms: Rooms, start: Start, { graceMs, hasDisk = () => true }: SlotOptions = {}) {
    this.#start = start
    this.#hasDisk = hasDisk
    this.#queue = new SlotQueue(rooms, graceMs)
  }

  /** Whether it only finishes the jobs it has and accepts no more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  get count(): number {
    return this.#queue.rooms.slots
  }

  /** A job that only waits for the answer to its last report needs no slot, so the next one may begin. */
  get running(): number {
    return this.#queue.working
  }

  /** Jobs that wait for slow sources, or for a slot afterwards. */
  get fetching(): number {
    return this.#queue.kept
  }

  /**
   * The same job and fence again means the same run; a newer fence ends the older run. A part gets only a slot that no
   * job here is waiting for.
   */
  offer(job: SlotJob): 'accepted' | 'busy' {
    const same = [...this.#running].filter((running) => running.job.jobId === job.jobId)
    if (same.some((running) => isSame(running.job, job))) return 'accepted'
    for (const { controller, job: older } of same) {
      if (older.fence < job.fence) controller.abort(new JobStop('stopped'))
    }
    if (this.#isClosed || !this.#hasDisk()) return 'busy'
    const request = isPart(job)
      ? this.#queue.enterIdle(job.account)
      : this.#queue.enter(job.account)
    if (!request) return 'busy'
    this.#begin(job, request)
    return 'accepted'
  }

  #begin(job: SlotJob, request: SlotRequest): void {
    const controller = new AbortController()
    const started = this.#start(job, { controller, takeSlot: () => request.take() })
    const running: RunningJob = { job, controller, request, ...started }
    request.onPlace = (place) => started.tellPlace(place)
    this.#running.add(running)
    void running.worked.then(() => request.leave())
    void running.done.finally(() => this.#running.delete(running))
  }

  /** Ends a job and returns what it had done; undefined if the job is not here. */
  async cancel(request: CancelRequest): Promise<AttemptTrace | undefined> {
    const found = [...this.#running].find(({ job }) => isMeant(job, request))
    if (!found) return undefined
    found.controller.abort(new JobStop('canceled'))
    await withinMs(cancelPatienceMs, found.done, () => undefined)
    return found.trace()
  }

  /**
   * Accepts no more jobs, lets those finish that can within this time, ends the others, and waits for the last reports.
   */
  async close(reason: StopReason, finishMs = 0): Promise<void> {
    this.#isClosed = true
    const until = performance.now() + finishMs
    const endHopeless = (): void => {
      const leftMs = until - performance.now()
      for (const running of this.#running) {
        if (!mayFinish(running.msLeft(), leftMs)) end(running, reason)
      }
    }
    endHopeless()
    const looking = setInterval(endHopeless, judgeAgainMs)
    await withinMs(finishMs, Promise.all(this.#ends()), () => undefined)
    clearInterval(looking)
    for (const running of this.#running) end(running, reason)
    await Promise.all(this.#ends())
  }

  /** Ends the job that takes most of the disk, with this error, and removes its files at once. */
  async endLargest(error: JobError): Promise<void> {
    const going = [...this.#running].filter(({ controller }) => !controller.signal.aborted)
    const sizes = await Promise.all(going.map(async (one) => one.diskBytes().catch(() => 0)))
    const largest = going[sizes.indexOf(Math.max(...sizes))]
    largest?.controller.abort(error)
  }

  #ends(): Promise<void>[] {
    return [...this.#running].map(({ done }) => done)
  }
}

function end({ controller }: RunningJob, reason: StopReason): void {
  controller.abort(new JobStop(reason))
}

function isSame(one: SlotJob, other: SlotJob): boolean {
  return isMeant(one, { ...other, part: isPart(other) ? other : undefined })
}

function isMeant(job: SlotJob, { jobId, fence, part }: CancelRequest): boolean {
  const own = isPart(job) ? job : undefined
  const isSamePart = own?.n === part?.n && own?.try === part?.try
  return job.jobId === jobId && job.fence === fence && isSamePart
}

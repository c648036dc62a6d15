import type { MediaJob } from '../worker/contract/media-job.ts'
import { JobStop, type StopReason } from './job/job-error.ts'

export type Acceptance = 'accepted' | 'busy'

type Running = {
  readonly job: MediaJob
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** The jobs that run now. Full slots are an answer, not a queue: whoever asks has other workers. */
export class JobSlots {
  readonly count: number
  readonly #run: (job: MediaJob, controller: AbortController) => Promise<void>
  readonly #running = new Set<Running>()
  #isClosed = false

  constructor(count: number, run: (job: MediaJob, controller: AbortController) => Promise<void>) {
    this.count = count
    this.#run = run
  }

  get running(): number {
    return this.#running.size
  }

  /** The same job and fence again is the same run; a newer fence ends the older run. */
  offer(job: MediaJob): Acceptance {
    const same = [...this.#running].filter((running) => running.job.jobId === job.jobId)
    if (same.some((running) => running.job.fence === job.fence)) return 'accepted'
    for (const { controller, job: older } of same) {
      if (older.fence < job.fence) controller.abort(new JobStop('stopped'))
    }
    if (this.#isClosed || this.#running.size >= this.count) return 'busy'
    const controller = new AbortController()
    const running: Running = {
      job,
      controller,
      done: this.#run(job, controller).finally(() => this.#running.delete(running)),
    }
    this.#running.add(running)
    return 'accepted'
  }

  /** Whether there was such a job to cancel. */
  cancel(jobId: string, fence: number): boolean {
    const found = [...this.#running].find(({ job }) => job.jobId === jobId && job.fence === fence)
    found?.controller.abort(new JobStop('canceled'))
    return found !== undefined
  }

  /** Takes nothing more, ends what runs, and waits for the last reports. */
  async close(reason: StopReason): Promise<void> {
    this.#isClosed = true
    for (const { controller } of this.#running) controller.abort(new JobStop(reason))
    await Promise.allSettled([...this.#running].map(({ done }) => done))
  }
}

import type { ShownPart } from '../../contract/job/shown-part.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { keepTrace } from '../../service/jobs/attempt-traces.ts'
import type { Ending } from '../../service/jobs/conclude.ts'
import { describeError, log } from '../../service/log.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import { saveTrace, type Claim } from '../../store/videos/transitions.ts'
import { traceWithParts, type JobEnd, type RunnerParts } from './job-end.ts'
import { claimOf, observedTrace, unclaimed, type Running, type RunState } from './job-memory.ts'

export type Cancel = 'canceled' | 'already-ended'

/** Ends a canceled job: its video at once, and then the work of the media worker that holds it. */
export class CancelJob {
  readonly #parts: RunnerParts
  readonly #end: JobEnd
  readonly #inBackground: (work: Promise<void>) => void

  constructor(parts: RunnerParts, end: JobEnd, inBackground: (work: Promise<void>) => void) {
    this.#parts = parts
    this.#end = end
    this.#inBackground = inBackground
  }

  async cancel(jobId: string): Promise<Cancel> {
    const { env, memory, film } = this.#parts
    const found = await findJob(env.DB, jobId)
    const state = memory.state()
    const running = state?.running
    if (!found || isTerminal(found.video.status)) {
      // This object died before it could remember the end, so the media worker may still be at work.
      if (state && running) await this.#stopLate(state, running)
      return 'already-ended'
    }
    const claim = state && running ? claimOf(state, running) : unclaimed(found)
    const trace = running && observedTrace(running, Date.now())
    const ending: Ending = { to: 'canceled', ...(trace && { trace }) }
    const parts = film.shown(claim.fence)
    const ended = await this.#end.write(found, claim, ending)
    // The caller need not wait for the media worker's answer, or for the container to stop.
    this.#inBackground(
      running ? this.#stopWork(claim, running.worker, parts) : this.#end.free(jobId, false),
    )
    return ended ? 'canceled' : 'already-ended'
  }

  async #stopLate(state: RunState, running: Running): Promise<void> {
    const parts = this.#parts.film.shown(running.fence)
    await this.#end.rememberIfEnded(state)
    this.#inBackground(this.#stopWork(claimOf(state, running), running.worker, parts))
  }

  /** Has the media worker stop, saves what it had done, and frees its slot. */
  async #stopWork(claim: Claim, worker: string, parts: readonly ShownPart[]): Promise<void> {
    const { env, carrier } = this.#parts
    try {
      const trace = await carrier.cancel(worker, claim.jobId, claim.fence)
      const kept = await keepTrace(env, claim, trace && traceWithParts(trace, parts))
      if (kept) await saveTrace(env.DB, claim, { trace: kept })
    } catch (error) {
      log('warn', 'the trace of a canceled attempt was not kept', describeError(error))
    }
    await this.#end.free(claim.jobId, true)
  }
}

import type { AttemptTrace } from '../../contract/job/report.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import type { WorkDone } from '../../contract/job/paces.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import type { Ending } from '../../service/jobs/conclude.ts'
import { endJob } from '../../service/jobs/end-job.ts'
import { withLive } from '../../service/jobs/live-progress.ts'
import { tellDispatcher } from '../../service/line/dispatching.ts'
import type { Env, Settings } from '../../settings.ts'
import { findJob, type JobToRun } from '../../store/jobs/jobs.ts'
import type { Claim } from '../../store/videos/transitions.ts'
import { callCourier } from '../courier.ts'
import { abortOutputs } from './outputs.ts'
import type { FilmParts } from './film-parts.ts'
import type { MediaCarrier } from '../media-workers/media-worker.ts'
import { liveOf, type JobMemory, type Running, type RunState } from './job-memory.ts'

/** What all parts of a JobRunner share. */
export type RunnerParts = {
  env: Env
  settings: Settings
  memory: JobMemory
  carrier: MediaCarrier
  film: FilmParts
}

/** Ends a job: writes the ending once, remembers it, and frees what was held for the job. */
export class JobEnd {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /**
   * Returns false if the row stays as it was: the video had already ended, or the result of another video, with which it was
   * to end, has just gone.
   */
  async write(found: JobToRun, claim: Claim, given: Ending): Promise<boolean> {
    const { env, memory, film } = this.#parts
    const ending = withParts(given, film.shown(claim.fence))
    const video = withLive(found.video, liveOf(memory.state()))
    await memory.expectEnd()
    // A canceled job keeps its slot until its work has stopped; the caller frees it then.
    const freesSlot = ending.to !== 'canceled'
    const ended = await endJob(env, { ...found, video }, claim, ending)
    if (!ended && !(await this.#hasEnded(found.job.id))) {
      // The result that was to be used went just now, so the work has to be done after all.
      if (ending.to === 'succeeded' && ending.reused) return false
      throw new Error('the ending was refused')
    }
    const isToDeliver = ending.to === 'succeeded' && found.video.request.destinations
    if (ended && isToDeliver) await callCourier(env, found.video.id)
    const known = memory.state()
    const fence = Math.max(known?.fence ?? 0, claim.fence)
    await memory.rememberEnd({ ...claim, attempts: found.job.attempts, ...known, fence })
    const running = known?.running
    await film.end()
    await abortOutputs(env.BUCKET, uploadsLeft(ending, running?.uploads))
    const worked = ending.to === 'succeeded' ? ending.report.worked : undefined
    const isDone = ending.to === 'succeeded' && !ending.reused
    const hadSlot = running !== undefined && (isDone || !running.slotFree)
    if (freesSlot) await this.free(claim.jobId, hadSlot, worked)
    return ended
  }

  /**
   * D1 refuses the ending of a video that has already ended. If it refused for another reason, this job must not be
   * forgotten.
   */
  async #hasEnded(jobId: string): Promise<boolean> {
    const now = await findJob(this.#parts.env.DB, jobId)
    return !now || isTerminal(now.video.status)
  }

  /** Remembers the end of a job whose video has ended, in case this object died before it could. */
  async rememberIfEnded(state: RunState): Promise<boolean> {
    if (!(await this.noteIfEnded(state))) return false
    await this.free(state.jobId, state.running !== undefined)
    return true
  }

  /** Notes an end about which the dispatcher is told by the caller. */
  async noteIfEnded(state: RunState): Promise<boolean> {
    const { env, memory, film } = this.#parts
    const found = await findJob(env.DB, state.jobId)
    if (found && !isTerminal(found.video.status)) return false
    await memory.rememberEnd(state)
    await film.end()
    await abortOutputs(env.BUCKET, state.running?.uploads ?? {})
    return true
  }

  /** Stops what was held for the job, and takes it out of the line: its slot goes to the next one, if it had one. */
  async free(jobId: string, hadSlot: boolean, worked: readonly WorkDone[] = []): Promise<void> {
    await this.#parts.carrier.release()
    await tellDispatcher(this.#parts.env, async (slots) => slots.left(jobId, hadSlot, worked))
  }
}

/** What was begun and is in no result: nobody told of it, or another size than it has. */
function uploadsLeft(ending: Ending, uploads: Running['uploads'] = {}): Running['uploads'] {
  if (ending.to === 'canceled') return uploads
  const stored = ending.to === 'succeeded' ? ending.result : ending.proof
  const kept = new Set(Object.values(stored?.outputs ?? {}).map((output) => output?.key))
  return Object.fromEntries(Object.entries(uploads).filter(([, upload]) => !kept.has(upload?.key)))
}

/** Only this object knows the parts, so those in a media worker's own trace are replaced. */
export function traceWithParts(trace: AttemptTrace, parts: readonly ShownPart[]): AttemptTrace {
  const own = { ...trace }
  delete own.parts
  return parts.length === 0 ? own : { ...own, parts: parts.map(over) }
}

/** When the attempt ends, each part that is still being rendered is stopped. */
function over(part: ShownPart): ShownPart {
  return part.state === 'running' ? { ...part, state: 'stopped' } : part
}

function withParts(ending: Ending, parts: readonly ShownPart[]): Ending {
  if (ending.to === 'succeeded') {
    const { report } = ending
    const trace = report.trace && traceWithParts(report.trace, parts)
    return { ...ending, report: { ...report, ...(trace && { trace }) } }
  }
  return ending.trace ? { ...ending, trace: traceWithParts(ending.trace, parts) } : ending
}

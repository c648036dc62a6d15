import type { MediaJob } from '../../worker/contract/media-job.ts'
import type { AttemptTrace } from '../../worker/contract/report.ts'
import type { Phase } from '../../worker/contract/video-state.ts'
import type { Confinement } from '../confine/confinement.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import type { Log } from '../errors/log.ts'
import type { Providers } from '../insight/choose-providers.ts'
import type { Settings } from '../settings/settings.ts'
import type { TraceRecorder } from './attempt-trace.ts'
import type { Reporter } from './send-report.ts'
import { sharesOf } from './whole-percent.ts'

/** What a job needs to run. */
export type JobRun = {
  readonly job: MediaJob
  readonly settings: Settings
  readonly log: Log
  readonly providers: Providers
  readonly confinement: Confinement
} & JobHold

/** How the job slots control a job. */
export type JobHold = {
  /** Aborted with a `JobStop` by a cancel request, a shutdown, or an answer of the Worker. */
  readonly controller: AbortController
  /**
   * Call it before working on the fetched files: returns undefined if the job has a slot, else a promise that resolves
   * when it gets one.
   */
  readonly takeSlot: () => Promise<void> | undefined
}

/**
 * Where a job is: `aside` means that it fetches without a slot, `ready` that it has its inputs and waits for a slot.
 */
export type Place = 'slot' | 'aside' | 'ready'

/** A running job, and what can be asked of it. */
export type StartedJob = {
  /**
   * Resolves when nothing of the job runs any more and its folder is removed; its last report may still be on the way.
   */
  readonly worked: Promise<void>
  /** Resolves when the last report was delivered or given up, too. */
  readonly done: Promise<void>
  /** The record of what was done so far. */
  trace(): AttemptTrace
  msLeft(): number
  /** Tells the job that it waits for its sources without a slot, or has one again. */
  tellPlace(place: Place): void
}

/** What all phases of a running job share. */
export type JobContext = JobRun & {
  readonly signal: AbortSignal
  readonly tools: ToolContext
  readonly trace: TraceRecorder
  readonly reporter: Reporter
}

/** Does the work of one phase, which the reports and the trace name. */
export type InPhase = <Result>(name: Phase, work: () => Promise<Result>) => Promise<Result>

/** Turns the completed share of a phase, 0 … 1, into progress of the whole job. */
export function progressOf(
  { reporter, job }: Pick<JobContext, 'reporter' | 'job'>,
  phase: Phase,
): (share: number) => void {
  const { from, to } = sharesOf(job.options)[phase]
  return (share) => reporter.progress(phase, from + (to - from) * Math.min(1, Math.max(0, share)))
}

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
import { phaseShares } from './whole-percent.ts'

/** What it takes to run one job. */
export type JobRun = {
  readonly job: MediaJob
  readonly settings: Settings
  readonly log: Log
  readonly providers: Providers
  readonly confinement: Confinement
} & JobHold

/** What those who take jobs have in hand of each. */
export type JobHold = {
  /** Aborted with a `JobStop` by cancel, shutdown, or the Worker's own answer. */
  readonly controller: AbortController
  /** To be called before the work on what was fetched: nothing when it has a slot, else what settles when it gets one. */
  readonly takeSlot: () => Promise<void> | undefined
}

/** Where a job is: `aside` fetches without a slot, `ready` has its inputs and waits for one. */
export type Place = 'slot' | 'aside' | 'ready'

/** A job at work, and what can be asked of it meanwhile. */
export type StartedJob = {
  /** Nothing of it runs any more, and its folder is gone; its last report may still be on the way. */
  readonly worked: Promise<void>
  /** There is nothing more to say of it either. */
  readonly done: Promise<void>
  /** What was done so far. */
  trace(): AttemptTrace
  msLeft(): number
  /** It waits for its sources without a slot, or has one again. */
  tellPlace(place: Place): void
}

/** What every phase of a running job shares. */
export type JobContext = JobRun & {
  readonly signal: AbortSignal
  readonly tools: ToolContext
  readonly trace: TraceRecorder
  readonly reporter: Reporter
}

/** Turns the share of a phase that is done, 0 … 1, into progress of the whole job. */
export function progressOf({ reporter }: JobContext, phase: Phase): (share: number) => void {
  const { from, to } = phaseShares[phase]
  return (share) => reporter.progress(phase, from + (to - from) * Math.min(1, Math.max(0, share)))
}

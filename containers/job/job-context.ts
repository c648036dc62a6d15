import type { MediaJob } from '../../worker/contract/job/media-job.ts'
import type { ForeseenJob } from '../../worker/contract/job/foresight.ts'
import type { PartJob, PartReport } from '../../worker/contract/job/part-job.ts'
import type { AttemptTrace, InsightProgress } from '../../worker/contract/job/report.ts'
import type { Phase, TimedWork } from '../../worker/contract/video/video-state.ts'
import type { WorkInStep } from '../apart/serve-work.ts'
import type { WorkProcesses } from '../apart/work-processes.ts'
import type { Confinement } from '../confine/confinement.ts'
import type { CommandTrace, ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Log, LogFields, LogLevel } from '../errors/log.ts'
import type { Providers } from '../insight/choose-providers.ts'
import type { RenderOptions } from '../render/render-state.ts'
import type { PartCarrier, PartProgress } from '../parts/part-carrier.ts'
import type { MediaSettings } from '../settings/settings.ts'
import type { KeptTexts, KeptWindows } from '../speech/kept-windows.ts'
import type { TraceRecorder } from './report/attempt-trace.ts'
import type { Scratch } from './disk-room.ts'
import type { FinalReport, InsightName, Reporter } from './report/send-report.ts'
import type { Ahead } from './report/steps.ts'

/** What a job needs to run. */
export type JobRun = {
  readonly job: MediaJob
  readonly settings: MediaSettings
  readonly log: Log
  readonly processes: JobProcesses
  readonly confinement: Confinement
  /** Undefined if it does not matter whether the same result was made before. */
  readonly engine?: string
} & JobHold

/** The processes that work on fetched files. */
export type JobProcesses = Pick<WorkProcesses<WorkSetup, WorkTask, JobTold, JobDone>, 'work'>

/** Everything that a job process needs for all of its jobs. With it, the process cannot give itself another job. */
export type WorkSetup = {
  readonly settings: WorkSettings
  readonly confinement: Confinement
}
export type WorkSettings = Omit<MediaSettings, 'MEDIA_WORKER_TOKEN'>

/** A job whose inputs are in its folder. */
type JobTask = {
  readonly job: MediaJob
  readonly files: Fetched
}

/** A part of the film of a job that another media worker leads; its files are in the folder. */
type JobPart = { readonly part: PartJob }
/** A job that is only planned. */
type PlanTask = { readonly planned: MediaJob; readonly files: Fetched }
export type WorkTask = JobTask | JobPart | PlanTask

/** A part that is rendered and uploaded. */
export type PartDone = Omit<Extract<PartReport, { type: 'done' }>, 'fence' | 'n' | 'try'>
export type JobDone = Success | PartDone | PlanDone
type PlanDone = { readonly type: 'planned'; readonly foreseen: ForeseenJob }

/** What a process says about its job, in the order of events. */
export type JobTold =
  | { type: 'progress'; phase: Phase; share: number; again: number }
  | { type: 'ahead'; ahead: Ahead }
  | { type: 'insight'; name: InsightName; state: InsightProgress }
  | { type: 'phase'; id: number; name: TimedWork | 'over' }
  | { type: 'command'; command: CommandTrace }
  | { type: 'processor'; ms: number }
  | ({ type: 'encoded' } & Parameters<PartProgress>[0])
  | { type: 'plan'; plan: AttemptTrace['plan'] }
  | { type: 'log'; level: LogLevel; message: string; fields: LogFields | undefined }

/** How a job ended well, without the trace. */
export type Success = Omit<Extract<FinalReport, { type: 'succeeded' }>, 'trace'>

/** How the job slots control a job. */
export type JobHold = {
  /** Aborted with a `JobStop` by a cancel request, a shutdown, or an answer of the Worker. */
  readonly controller: AbortController
  /**
   * Call this before working on the fetched files: returns undefined if the job has a slot, else a promise that resolves when
   * it gets one.
   */
  readonly takeSlot: () => Promise<void> | undefined
}

/**
 * Where a job is: `aside` means that it fetches without a slot, `ready` that it has its inputs and waits for a slot.
 */
export type JobPlace = 'slot' | 'aside' | 'ready'

/** A running job, and the questions that can be put to it. */
export type StartedJob = {
  /** Resolves when no work of the job runs any more and its folder is removed; its last report may still be on the way. */
  readonly worked: Promise<void>
  /** Resolves when the last report, too, was delivered or given up. */
  readonly done: Promise<void>
  /** The record of what was done so far. */
  trace(): AttemptTrace
  msLeft(): number
  /** How many bytes it has on the disk. */
  diskBytes(): Promise<number>
  /** Tells the job that it waits for its sources without a slot, or has one again. */
  tellPlace(place: JobPlace): void
}

/** The fetched files of a job, by their names inside its folder. */
export type Fetched = {
  readonly sources: readonly string[]
  /** One entry for each element, several of which may share a file; undefined if an element needs none. */
  readonly elements: readonly (string | undefined)[]
  /** Fonts and captions, by the field that names the file. */
  readonly beside: ReadonlyMap<string, string>
  /** Files of which a plan has fetched only the parts that it needs. */
  readonly partial?: readonly string[]
  /** The SHA-256 of everything that may be heard; absent if it is not needed. */
  readonly hashes?: readonly string[]
}

/** `hashes`: of everything that may be heard. */
type RememberedWords = { readonly words: KeptTexts; readonly hashes: readonly string[] }

/** What all phases of a running job share, once its inputs are in its folder. */
export type JobContext = {
  /** With the options of one output, while that is being made. */
  readonly job: Omit<MediaJob, 'options'> & { readonly options: RenderOptions }
  readonly settings: WorkSettings
  readonly log: Log
  readonly providers: Providers
  readonly confinement: Confinement
  readonly signal: AbortSignal
  readonly tools: ToolContext
  readonly trace: Pick<TraceRecorder, 'phase' | 'plan' | 'processor'>
  /** Undefined if no other media worker renders parts of films. */
  readonly carrier?: PartCarrier | undefined
  /** What earlier attempts have transcribed; undefined if that is not kept. */
  readonly kept?: KeptWindows | undefined
  /** What earlier jobs of the account have transcribed of the same sources; undefined if that is not kept. */
  readonly remembered?: RememberedWords | undefined
  /** For a plan, how long its sound may be listened to and its pictures examined; undefined: as long as that takes. */
  readonly mayListenMs?: number | undefined
  /** Whether a plan knows the words, because an earlier job has heard them. */
  readonly areWordsKnown?: boolean
  /** Whether some of its files were fetched only in part, for a plan. */
  readonly isPartial?: boolean
  /** Whether the pictures were not searched for what its options need, because this is only a plan. */
  readonly isUnseen?: boolean
  /** How much longer a plan may spend on trials, and how many films have yet to share this time, if they are several. */
  readonly trialTime?: { leftMs: number; films?: number }
  /** Why films of this job are not divided into parts. */
  readonly undivided?: string | undefined
  readonly reporter: Pick<Reporter, 'progress' | 'insight' | 'expect'>
  /** Names the file or option that is being worked on, in case the work has to be ended. */
  readonly during: WorkInStep
}

export function scratchOf({ tools, settings }: Pick<JobContext, 'tools' | 'settings'>): Scratch {
  return { folder: tools.folder, minFreeBytes: settings.MIN_FREE_BYTES }
}

/** Does the work of one phase, which the reports and the trace name. */
export type InPhase = <Result>(name: Phase, work: () => Promise<Result>) => Promise<Result>

/** The context for a part of the rendering: its progress counts between these shares. */
export function partOf(
  context: JobContext,
  [from, to]: readonly [from: number, to: number],
): JobContext {
  const { reporter } = context
  const progress: typeof reporter.progress = (phase, share, again) =>
    reporter.progress(phase, from + (to - from) * share, again)
  return { ...context, reporter: { ...reporter, progress } }
}

/** Reports the completed share of a phase, 0 … 1, and how often its work has to be done again after this time. */
export function progressOf(
  { reporter }: { reporter: Pick<Reporter, 'progress'> },
  phase: Phase,
): (share: number, again?: number) => void {
  return (share, again = 0) => reporter.progress(phase, Math.min(1, Math.max(0, share)), again)
}

import type { OutputKind } from '../contract/media-job.ts'
import type { AttemptTrace } from '../contract/report.ts'
import { phases, type Phase } from '../contract/video-state.ts'
import type { Lease } from '../service/decide-lease.ts'
import type { JobToRun } from '../store/jobs.ts'
import type { PendingUpload } from '../store/objects.ts'
import type { Insights } from '../store/insight-changes.ts'
import type { Claim } from '../store/transitions.ts'

export type GrantedUpload = PendingUpload & { contentType: string; extension: string }

/** The attempt that a media worker has accepted and not yet ended. */
export type Running = Lease & {
  fence: number
  attempt: number
  worker: string
  lastSequence: number
  phase: Phase
  percent: number
  savedPercent: number
  /** As last saved; their progress changes more often. */
  insights?: Insights
  saves?: number
  /** How many of these saves were made only for clients that follow live. */
  liveSaves?: number
  /** The job waits for slow sources, and its media worker may take another one. */
  slotFree?: boolean
  uploads: Partial<Record<OutputKind, GrantedUpload>>
  /** When each phase was first reported, for an attempt that never sends its own trace. Older versions kept none. */
  phases?: { name: Phase; startedAt: number }[]
}

/** What a JobRunner remembers about its job; D1 has what others read. */
export type RunState = {
  jobId: string
  videoId: string
  /** The number of the last claim that was offered; never repeats. */
  fence: number
  attempts: number
  /** When the first attempt began. The limit is on all attempts together. */
  startedAt?: number
  /** Since when every media worker that answers has refused the job. */
  refusedSince?: number
  running?: Running
  endedAt?: number
}

type BegunPhases = NonNullable<Running['phases']>

export function withPhase(begun: BegunPhases = [], phase: Phase): BegunPhases {
  if (begun.some(({ name }) => name === phase)) return begun
  return [...begun, { name: phase, startedAt: Date.now() }]
}

/** What is known about an attempt whose media worker can no longer be asked. */
export function observedTrace({ phases: begun = [] }: Running, now: number): AttemptTrace {
  const timed = begun.map(({ name, startedAt }, i) => ({
    name,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, (begun[i + 1]?.startedAt ?? now) - startedAt),
  }))
  return { phases: timed, commands: [] }
}

export function claimOf(state: RunState, running: Running): Claim {
  return { jobId: state.jobId, videoId: state.videoId, fence: running.fence }
}

/** The last claim on the job, as its row has it. */
export function unclaimed({ job, video }: JobToRun): Claim {
  return { jobId: job.id, videoId: video.id, fence: job.fence }
}

/** A later phase does not change back to an earlier one, because each change costs a write. */
export function laterPhase(a: Phase, b: Phase): Phase {
  return phases.indexOf(a) > phases.indexOf(b) ? a : b
}

/** Steps of 6 % keep a job at no more than 20 progress writes, including those for its phases. */
const savedStep = 6

const maxSaves = 20

export type Progress = { phase: Phase; percent: number; insights: Insights }

export type Worth = 'not-worth-it' | 'for-all' | 'for-followers'

/**
 * A new phase is always saved; other progress only while enough writes are left for the phases to come. While a client
 * follows live, every whole percent is saved as well, so that no read shows less than an event before it.
 */
export function worthOfSaving(running: Running, next: Progress, isFollowed: boolean): Worth {
  if (next.phase !== running.phase) return 'for-all'
  const phasesToCome = phases.length - 1 - phases.indexOf(running.phase)
  const spent = (running.saves ?? 0) - (running.liveSaves ?? 0)
  const isStep =
    next.percent >= running.savedPercent + savedStep || hasMoved(running.insights, next)
  if (isStep && spent + phasesToCome < maxSaves) return 'for-all'
  const isMore = Math.floor(next.percent) > Math.floor(running.savedPercent)
  return isFollowed && isMore ? 'for-followers' : 'not-worth-it'
}

function hasMoved(saved: Insights = {}, { insights }: Progress): boolean {
  const names = ['transcript', 'analysis'] as const
  return names.some((name) => insights[name] && insights[name].status !== saved[name]?.status)
}

export const videoStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
export type VideoStatus = (typeof videoStatuses)[number]

/** `transcribing` is one only if the rendering has to wait for the words. */
export const phases = ['fetching', 'measuring', 'transcribing', 'rendering', 'uploading'] as const
export type Phase = (typeof phases)[number]

/** A row may have a phase that a later version wrote before a rollback; it is shown as no phase. */
export function isPhase(phase: string | null): phase is Phase {
  return phases.some((known) => known === phase)
}

/**
 * What is timed: also waiting for a slot after slow sources, and the analysis, which runs beside the phases as most
 * transcribing does.
 */
export const timedWork = [...phases, 'waiting', 'analysing'] as const
export type TimedWork = (typeof timedWork)[number]

/** `not_requested` occurs only in the row; a record without a transcript has no transcript object. */
export const insightStatuses = [
  'not_requested',
  'pending',
  'processing',
  'completed',
  'failed',
] as const
export type InsightStatus = (typeof insightStatuses)[number]

const nextVideoStatuses: Record<VideoStatus, readonly VideoStatus[]> = {
  queued: ['running', 'failed', 'canceled'],
  running: ['queued', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
}

/** For transcript and analysis alike. A new attempt starts them again: processing → pending. */
const nextInsightStatuses: Record<InsightStatus, readonly InsightStatus[]> = {
  not_requested: [],
  pending: ['not_requested', 'processing', 'completed', 'failed'],
  processing: ['pending', 'completed', 'failed'],
  completed: [],
  failed: [],
}

function statesBefore<State extends string>(
  table: Record<State, readonly State[]>,
  states: readonly State[],
  to: State,
): State[] {
  return states.filter((from) => table[from].includes(to))
}

/** The statuses from which a row may change to `to`, for the WHERE clause of the guarded UPDATE. */
export function videoStatusesBefore(to: VideoStatus): VideoStatus[] {
  return statesBefore(nextVideoStatuses, videoStatuses, to)
}

/** A result that stands already ends a job also while that waits. */
export const statusesBeforeReuse: VideoStatus[] = ['queued', ...videoStatusesBefore('succeeded')]

export function insightStatusesBefore(to: InsightStatus): InsightStatus[] {
  return statesBefore(nextInsightStatuses, insightStatuses, to)
}

export function isTerminal(status: VideoStatus): boolean {
  return nextVideoStatuses[status].length === 0
}

export const terminalStatuses = videoStatuses.filter(isTerminal)

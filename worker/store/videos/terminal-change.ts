import type { InsightStatus } from '../../contract/video/video-state.ts'
import type {
  JobError,
  KeptAnalysis,
  KeptTranscript,
  ShownVideo,
  VideoResult,
} from '../tables/tables.ts'
import type { StoredTrace } from '../jobs/traces.ts'
import type { ToldEvent } from '../webhooks/tell.ts'

/** Everything that the end of a video writes. */
export type TerminalChange = {
  to: 'succeeded' | 'failed' | 'canceled'
  eventId: string
  now: number
  filesExpireAt: number
  /** Null when there is no source in the bucket. */
  sourceExpiresAt: number | null
  trace?: StoredTrace | undefined
  result?: VideoResult
  progressPercent: number
  errorMessage?: string
  jobError?: JobError
  transcript: { status: InsightStatus; kept: KeptTranscript | null }
  analysis: { status: InsightStatus; kept: KeptAnalysis | null }
  event?: ToldEvent
}

/** The row of a video as the change leaves it. */
export function terminalColumns(change: TerminalChange) {
  return {
    status: change.to,
    phase: null,
    progressPercent: change.progressPercent,
    result: change.result ?? null,
    errorMessage: change.errorMessage ?? null,
    terminalEventId: change.eventId,
    transcriptStatus: change.transcript.status,
    transcript: change.transcript.kept,
    analysisStatus: change.analysis.status,
    analysis: change.analysis.kept,
    updatedAt: change.now,
    finishedAt: change.now,
    filesExpireAt: change.filesExpireAt,
    sourceExpiresAt: change.sourceExpiresAt,
  } as const
}

/** The video as clients will read it once the change is written: its row, and why its job failed. */
export function afterEnd(video: ShownVideo, change: TerminalChange): ShownVideo {
  return { ...video, ...terminalColumns(change), jobError: change.jobError ?? null }
}

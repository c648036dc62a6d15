import type { InsightStatus } from '../../contract/video/video-state.ts'
import type {
  StoredJobError,
  KeptAnalysis,
  KeptTranscript,
  ShownVideo,
  VideoResult,
  VideoSource,
} from '../tables/tables.ts'
import type { StoredTrace } from '../jobs/traces.ts'
import type { ToldEvent } from '../webhooks/tell.ts'

/** Everything that the end of a video writes. */
export type TerminalChange = {
  to: 'succeeded' | 'failed' | 'canceled'
  eventId: string
  now: number
  filesExpireAt: number
  /** Null if the bucket has no source. */
  sourceExpiresAt: number | null
  trace?: StoredTrace | undefined
  result?: VideoResult
  progressPercent: number
  errorMessage?: string
  jobError?: StoredJobError
  transcript: { status: InsightStatus; kept: KeptTranscript | null }
  analysis: { status: InsightStatus; kept: KeptAnalysis | null }
  /** Absent if no other video may have the result. */
  made?: WorkIdentity
  /** Present if the result is another video's. */
  reused?: Reused
  /** Present if the job learnt something about the source. */
  source?: VideoSource
  event?: ToldEvent
}

/** Identifies the result of the same work. */
export type WorkIdentity = { work: string; engine: string; sourceSha256?: string | undefined }

/** `from`: the video with the result, which must still exist by then. `filesOf`: the one under whose name its files lie. */
export type Reused = { from: string; filesOf: string }

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
    work: change.made?.work ?? null,
    engine: change.made?.engine ?? null,
    filesOf: change.reused?.filesOf ?? null,
    ...(change.source && { source: change.source }),
  } as const
}

/** The video as clients will read it once the change is written: its row, and why its job failed. */
export function afterEnd(video: ShownVideo, change: TerminalChange): ShownVideo {
  return { ...video, ...terminalColumns(change), jobError: change.jobError ?? null }
}

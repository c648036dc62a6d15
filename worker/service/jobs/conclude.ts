import type { Succeeded } from './describe-success.ts'
import { whoOf } from '../../contract/video/transcript.ts'
import { insightStatusesBefore } from '../../contract/video/video-state.ts'
import type {
  StoredJobError,
  KeptAnalysis,
  KeptTranscript,
  ShownVideo,
  VideoResult,
  VideoRow,
} from '../../store/tables/tables.ts'
import type { EndpointToTell } from '../../store/jobs/jobs.ts'
import {
  afterEnd,
  type WorkIdentity,
  type Reused,
  type TerminalChange,
} from '../../store/videos/terminal-change.ts'
import type { LinkMaker } from '../videos/describe-video.ts'
import { planDeliveries } from '../storages/plan-deliveries.ts'
import { videoEventFor } from '../webhooks/event-for.ts'

/** The faults that were found in a result that is not kept, and the pictures that show them. */
export type StoredProof = Required<Pick<VideoResult, 'outputs' | 'checks'>>

export type Ending =
  | {
      to: 'succeeded'
      report: Pick<Succeeded, 'transcript' | 'analysis' | 'worked'> &
        Partial<Pick<Succeeded, 'trace'>>
      result: VideoResult
      made?: WorkIdentity | undefined
      reused?: Reused
    }
  | { to: 'failed'; error: StoredJobError; trace?: TerminalChange['trace']; proof?: StoredProof }
  | { to: 'canceled'; trace?: TerminalChange['trace'] }

type Mint = {
  eventId: string
  /** The endpoints of the account that get events. */
  endpoints: readonly EndpointToTell[]
  now: number
  retainOutputsMs: number
  retainSourcesMs: number
  linkTo: LinkMaker
}

type Insight<Kept> = { status: VideoRow['transcriptStatus']; kept: Kept | null }

/** Makes everything that the one terminal change of a video writes, from the way in which it ended. */
export async function conclude(
  video: ShownVideo,
  ending: Ending,
  mint: Mint,
): Promise<TerminalChange> {
  const insights = {
    transcript: concludeTranscript(video, ending),
    analysis: concludeAnalysis(video, ending),
  }
  const change: TerminalChange = {
    to: ending.to,
    eventId: mint.eventId,
    now: mint.now,
    filesExpireAt: mint.now + mint.retainOutputsMs,
    sourceExpiresAt: video.source ? mint.now + mint.retainSourcesMs : null,
    progressPercent: ending.to === 'succeeded' ? 100 : video.progressPercent,
    ...describeEnding(video, ending),
    ...insights,
    ...(ending.to === 'succeeded' && describeReuse(video, ending, insights)),
  }
  const event = await videoEventFor(afterEnd(video, change), `video.${ending.to}`, mint)
  return { ...change, ...(event && { event }) }
}

const nothingToDeliver = 'analyzeOnly: no video was made, so these did nothing: destinations.'

/** From its end on, the result says which of its files go to which buckets. A result that is used again says that of another video. */
function withDeliveries(video: ShownVideo, made: VideoResult): VideoResult {
  const { deliveries: _ofAnother, ...result } = made
  const warnings = result.warnings.filter((warning) => warning !== nothingToDeliver)
  if (!video.request.destinations) return { ...result, warnings }
  const deliveries = planDeliveries(video, result)
  if (deliveries.length > 0) return { ...result, warnings, deliveries }
  return { ...result, warnings: [...warnings, nothingToDeliver] }
}

function describeEnding(
  video: ShownVideo,
  ending: Ending,
): Pick<TerminalChange, 'trace' | 'result' | 'errorMessage' | 'jobError'> {
  switch (ending.to) {
    case 'succeeded':
      return {
        ...(ending.report.trace && { trace: ending.report.trace }),
        result: withDeliveries(video, ending.result),
      }
    case 'failed':
      return {
        ...(ending.trace ? { trace: ending.trace } : {}),
        ...(ending.proof && { result: { ...ending.proof, warnings: [] } }),
        jobError: ending.error,
        errorMessage: ending.error.message,
      }
    case 'canceled':
      return ending.trace ? { trace: ending.trace } : {}
  }
}

/** A result without the words or the analysis that were requested is not reused, because another try may find them. */
function describeReuse(
  { source }: ShownVideo,
  { made, reused }: Extract<Ending, { to: 'succeeded' }>,
  { transcript, analysis }: Pick<TerminalChange, 'transcript' | 'analysis'>,
): Pick<TerminalChange, 'made' | 'reused' | 'source'> {
  const isWhole = transcript.status !== 'failed' && analysis.status !== 'failed'
  const sha256 = made?.sourceSha256
  return {
    ...(made && isWhole && { made }),
    ...(reused && { reused }),
    ...(source &&
      sha256 !== undefined &&
      sha256 !== source.sha256 && { source: { ...source, sha256 } }),
  }
}

function concludeTranscript(
  { transcriptStatus, transcript: before }: ShownVideo,
  ending: Ending,
): Insight<KeptTranscript> {
  const result = ending.to === 'succeeded' ? ending.report.transcript : undefined
  const after = result ?? unfinished('Transcription', ending)
  if (!insightStatusesBefore(after.status).includes(transcriptStatus)) return unasked
  switch (after.status) {
    case 'completed': {
      const { text, language, confidence } = after
      const sure = confidence === undefined ? {} : { confidence }
      const kept = { text, language, ...sure, ...whoOf(after) }
      return { status: 'completed', kept }
    }
    case 'failed':
      return { status: 'failed', kept: { ...progressOf(before), message: after.message } }
    case 'not_requested':
      return unasked
  }
}

function concludeAnalysis(
  { analysisStatus, analysis: before }: ShownVideo,
  ending: Ending,
): Insight<KeptAnalysis> {
  const result = ending.to === 'succeeded' ? ending.report.analysis : undefined
  const after = result ?? unfinished('Analysis', ending)
  if (!insightStatusesBefore(after.status).includes(analysisStatus)) return unasked
  return after.status === 'completed'
    ? { status: 'completed', kept: { data: after.data } }
    : { status: 'failed', kept: { ...progressOf(before), message: after.message } }
}

/** Progress that was already shown does not go back. */
function progressOf(kept: { progress?: number } | null): { progress?: number } {
  return kept?.progress === undefined ? {} : { progress: kept.progress }
}

/** A transcript or analysis only ends with its video, so one that cannot end now was never requested. */
const unasked = { status: 'not_requested', kept: null } as const

/** Nothing stays pending once its video has ended. */
function unfinished(label: string, { to }: Ending): { status: 'failed'; message: string } {
  const messages = {
    succeeded: `${label} gave no result.`,
    failed: `${label} did not happen, because the video failed.`,
    canceled: `${label} was canceled with the video.`,
  }
  return { status: 'failed', message: messages[to] }
}

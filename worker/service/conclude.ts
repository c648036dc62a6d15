import type { Report } from '../contract/report.ts'
import type { JobError, VideoResult, VideoRow } from '../store/tables.ts'
import type { TerminalChange } from '../store/transitions.ts'
import { describeVideo, timestamp, type LinkMaker } from './describe-video.ts'

export type Ending =
  | { to: 'succeeded'; report: Extract<Report, { type: 'succeeded' }>; result: VideoResult }
  | { to: 'failed'; error: JobError; trace?: TerminalChange['trace'] }
  | { to: 'canceled' }

type Mint = {
  eventId: string
  now: number
  retainOutputsMs: number
  retainSourcesMs: number
  linkTo: LinkMaker
}

type Insight = { status: VideoRow['transcriptStatus']; message?: string }

/** Everything the one terminal change of a video writes, from how it ended. */
export async function conclude(
  video: VideoRow,
  ending: Ending,
  mint: Mint,
): Promise<TerminalChange> {
  const change: TerminalChange = {
    to: ending.to,
    eventId: mint.eventId,
    now: mint.now,
    filesExpireAt: mint.now + mint.retainOutputsMs,
    sourceExpiresAt: video.source ? mint.now + mint.retainSourcesMs : null,
    ...describeEnding(ending),
    transcript: concludeInsight('transcript', video.transcriptStatus, ending),
    analysis: concludeInsight('analysis', video.analysisStatus, ending),
  }
  const { webhookUrl } = video.request
  if (webhookUrl === undefined) return change
  const record = await describeVideo(rowAfter(video, change), mint.linkTo)
  const type = `video.${ending.to}`
  const body = JSON.stringify({ type, timestamp: timestamp(mint.now), data: record })
  return { ...change, event: { accountId: video.accountId, type, url: webhookUrl, body } }
}

function describeEnding(
  ending: Ending,
): Pick<TerminalChange, 'trace' | 'result' | 'errorMessage' | 'jobError'> {
  switch (ending.to) {
    case 'succeeded':
      return { trace: ending.report.trace, result: ending.result }
    case 'failed':
      return {
        ...(ending.trace ? { trace: ending.trace } : {}),
        jobError: ending.error,
        errorMessage: ending.error.message,
      }
    case 'canceled':
      return {}
  }
}

/** Nothing stays pending in a video that has ended. */
function concludeInsight(
  name: 'transcript' | 'analysis',
  asked: VideoRow['transcriptStatus'],
  ending: Ending,
): Insight {
  if (asked === 'not_requested') return { status: 'not_requested' }
  const label = name === 'transcript' ? 'Transcription' : 'Analysis'
  if (ending.to === 'canceled') {
    return { status: 'failed', message: `${label} was canceled with the video.` }
  }
  if (ending.to === 'failed') {
    return { status: 'failed', message: `${label} did not happen, because the video failed.` }
  }
  return ending.report[name] ?? { status: 'failed', message: `${label} gave no result.` }
}

/** The row as it will be read once the change is written: what the webhook's record is made from. */
function rowAfter(video: VideoRow, change: TerminalChange): VideoRow {
  return {
    ...video,
    status: change.to,
    phase: null,
    progressPercent: change.to === 'succeeded' ? 100 : video.progressPercent,
    result: change.result ?? null,
    errorMessage: change.errorMessage ?? null,
    transcriptStatus: change.transcript.status,
    transcript: change.transcript,
    analysisStatus: change.analysis.status,
    analysis: change.analysis,
    updatedAt: change.now,
    finishedAt: change.now,
    filesExpireAt: change.filesExpireAt,
  }
}

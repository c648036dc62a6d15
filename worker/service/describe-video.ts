import type { OutputKind } from '../contract/media-job.ts'
import type { VideoRecord } from '../contract/video-record.ts'
import { isTerminal, type InsightStatus } from '../contract/video-state.ts'
import type { VideoRow } from '../store/tables.ts'

/** Makes the address of one file of a video; signing is somebody else's business. */
export type LinkMaker = (
  video: VideoRow,
  kind: OutputKind,
) => Promise<{ url: string; expiresAt: number } | undefined>

/** The public record of a row: short while unfinished, whole once terminal. */
export async function describeVideo(video: VideoRow, linkTo: LinkMaker): Promise<VideoRecord> {
  const head = describeHead(video)
  if (!isTerminal(video.status)) return head
  const final = await linkTo(video, 'final')
  const thumbnail = await linkTo(video, 'thumbnail')
  const links = [final, thumbnail].filter((link) => link !== undefined)
  return {
    ...head,
    ...video.request,
    // The request may say another name than the video has by now.
    videoName: head.videoName,
    analysis: head.analysis ?? { status: 'not_requested' },
    warnings: listWarnings(video),
    ...(final ? { finalVideoUrl: final.url } : {}),
    ...(thumbnail ? { thumbnailUrl: thumbnail.url } : {}),
    ...(video.result ? { videoMetadata: video.result.videoMetadata } : {}),
    ...explainFailure(video),
    ...(links.length > 0
      ? { linksExpireAt: timestamp(Math.min(...links.map((link) => link.expiresAt))) }
      : {}),
    ...(links.length > 0 && video.filesExpireAt !== null
      ? { filesExpireAt: timestamp(video.filesExpireAt) }
      : {}),
  }
}

/** What was asked and not honoured to the letter: by the media worker, or by the service itself. */
function listWarnings(video: VideoRow): string[] {
  const undelivered = 'webhookUrl was not applied: this version does not deliver webhooks yet.'
  return [
    ...(video.result?.warnings ?? []),
    ...(video.request.webhookUrl === undefined ? [] : [undelivered]),
  ]
}

function describeHead(video: VideoRow): VideoRecord {
  const transcript = shown(video.transcriptStatus)
  return {
    videoId: video.id,
    videoName: video.name,
    status: video.status,
    progressPercent: Math.floor(video.progressPercent),
    ...(video.status === 'running' && video.phase ? { phase: video.phase } : {}),
    hasTranscript: transcript !== undefined,
    ...(transcript ? { transcript: { status: transcript } } : {}),
    ...(shown(video.analysisStatus) ? { analysis: describeAnalysis(video) } : {}),
    createdAt: timestamp(video.createdAt),
    lastUpdatedAt: timestamp(video.updatedAt),
  }
}

function describeAnalysis(video: VideoRow): NonNullable<VideoRecord['analysis']> {
  const { analysisStatus: status, analysis } = video
  return {
    status,
    progress: status === 'completed' ? 100 : 0,
    ...(status === 'failed' ? { error: analysis?.message ?? 'Analysis failed.' } : {}),
  }
}

/** A failed video says why; a failed transcript of a good video is explained in the same place. */
function explainFailure(video: VideoRow): { errorMessage?: string } {
  const message =
    video.errorMessage ??
    (video.transcriptStatus === 'failed' && video.status === 'succeeded'
      ? video.transcript?.message
      : undefined)
  return message === undefined ? {} : { errorMessage: message }
}

function shown(status: InsightStatus): Exclude<InsightStatus, 'not_requested'> | undefined {
  return status === 'not_requested' ? undefined : status
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

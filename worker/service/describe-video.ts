import type { OutputKind } from '../contract/media-job.ts'
import { unheardLanguage } from '../contract/transcript.ts'
import type { VideoRecord } from '../contract/video-record.ts'
import { isPhase, isTerminal, type InsightStatus } from '../contract/video-state.ts'
import type { VideoRow } from '../store/tables.ts'

/** Makes the address of one file of a video; signing is somebody else's business. */
export type LinkMaker = (
  video: VideoRow,
  kind: OutputKind,
) => Promise<{ url: string; expiresAt: number } | undefined>

/** The file that a transcript is linked by: its text and nothing else. */
export const transcriptFileKind = 'transcript-txt' satisfies OutputKind

/** The public record of a row: short while unfinished, whole once terminal. */
export async function describeVideo(video: VideoRow, linkTo: LinkMaker): Promise<VideoRecord> {
  const head = describeHead(video)
  if (!isTerminal(video.status)) return head
  const final = await linkTo(video, 'final')
  const thumbnail = await linkTo(video, 'thumbnail')
  const transcript = await linkTo(video, transcriptFileKind)
  const links = [final, thumbnail, transcript].filter((link) => link !== undefined)
  return {
    ...head,
    ...video.request,
    // The request may say another name than the video has by now.
    videoName: head.videoName,
    analysis: head.analysis ?? { status: 'not_requested' },
    warnings: [...(video.result?.warnings ?? []), ...(links.length === 0 ? sayGone(video) : [])],
    ...(head.transcript
      ? { transcript: { ...head.transcript, ...(transcript && { transcriptUrl: transcript.url }) } }
      : {}),
    ...(final ? { finalVideoUrl: final.url } : {}),
    ...(thumbnail ? { thumbnailUrl: thumbnail.url } : {}),
    ...(video.result ? { videoMetadata: video.result.videoMetadata } : {}),
    ...explainFailure(video),
    ...(links.length > 0
      ? { linksExpireAt: timestamp(Math.min(...links.map((link) => link.expiresAt))) }
      : {}),
    ...(hasFiles(video) && video.filesExpireAt !== null
      ? { filesExpireAt: timestamp(video.filesExpireAt) }
      : {}),
  }
}

function hasFiles({ result }: VideoRow): boolean {
  return Object.keys(result?.outputs ?? {}).length > 0
}

/** In place of links that would be dead. */
function sayGone(video: VideoRow): string[] {
  if (!hasFiles(video) || video.filesExpireAt === null) return []
  return [
    `The files of this video were kept until ${timestamp(video.filesExpireAt)}; they are gone.`,
  ]
}

function describeHead(video: VideoRow): VideoRecord {
  const { transcriptStatus, analysisStatus } = video
  return {
    videoId: video.id,
    videoName: video.name,
    status: video.status,
    progressPercent: Math.floor(video.progressPercent),
    ...(video.status === 'running' && isPhase(video.phase) ? { phase: video.phase } : {}),
    hasTranscript: transcriptStatus !== 'not_requested',
    ...(transcriptStatus === 'not_requested'
      ? {}
      : { transcript: describeTranscript(transcriptStatus, video.transcript) }),
    ...(analysisStatus === 'not_requested'
      ? {}
      : { analysis: describeAnalysis(analysisStatus, video.analysis) }),
    createdAt: timestamp(video.createdAt),
    lastUpdatedAt: timestamp(video.updatedAt),
  }
}

type Asked = Exclude<InsightStatus, 'not_requested'>

function describeTranscript(
  status: Asked,
  kept: VideoRow['transcript'],
): NonNullable<VideoRecord['transcript']> {
  switch (status) {
    case 'completed':
      return { status, text: kept?.text ?? '', language: kept?.language ?? unheardLanguage }
    case 'processing':
      return { status, progress: Math.floor(kept?.progress ?? 0) }
    case 'pending':
    case 'failed':
      return { status }
  }
}

function describeAnalysis(
  status: Asked,
  kept: VideoRow['analysis'],
): NonNullable<VideoRecord['analysis']> {
  switch (status) {
    case 'completed':
      return { status, progress: 100, ...(kept?.data && { data: kept.data }) }
    case 'processing':
      return { status, progress: Math.floor(kept?.progress ?? 0) }
    case 'pending':
      return { status, progress: 0 }
    case 'failed':
      return { status, progress: 0, error: kept?.message ?? 'Analysis failed.' }
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

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

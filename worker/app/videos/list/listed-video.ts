import { isPhase, type Phase, type VideoStatus } from '../../../contract/video/video-state.ts'
import { timestamp, type LinkMaker } from '../../../service/videos/describe-video.ts'
import type { VideoCard } from '../../../store/videos/video-cards.ts'

/** A video in the list. */
export type ListedVideo = {
  videoId: string
  name: string
  status: VideoStatus
  phase: Phase | undefined
  percent: number
  /** The shape that was asked for, unless it is that of the source. */
  shape: string | undefined
  seconds: number | undefined
  bytes: number | undefined
  picture: { width: number; height: number } | undefined
  thumbnailUrl: string | undefined
  errorMessage: string | undefined
  warnings: number
  createdAt: string
}

export async function describeCard(card: VideoCard, linkTo: LinkMaker): Promise<ListedVideo> {
  const { aspectRatio, result, phase } = card
  const facts = result?.videoMetadata
  const thumbnail = await linkTo(card, 'thumbnail')
  return {
    videoId: card.id,
    name: card.name,
    status: card.status,
    phase: card.status === 'running' && isPhase(phase) ? phase : undefined,
    percent: Math.floor(card.progressPercent),
    shape: aspectRatio === null || aspectRatio === 'original' ? undefined : aspectRatio,
    seconds: facts?.duration,
    bytes: facts?.sizeInBytes,
    picture: facts && { width: facts.width, height: facts.height },
    thumbnailUrl: thumbnail?.url,
    errorMessage: card.errorMessage ?? undefined,
    warnings: result?.warnings.length ?? 0,
    createdAt: timestamp(card.createdAt),
  }
}

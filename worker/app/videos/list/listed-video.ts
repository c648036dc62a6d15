import { isPhase, type Phase, type VideoStatus } from '../../../contract/video/video-state.ts'
import { formatSeconds } from '../../design/formats.ts'
import { sayLeft } from '../../../contract/video/say-left.ts'
import { describeLeft, timestamp, type LinkMaker } from '../../../service/videos/describe-video.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import type { VideoCard } from '../../../store/videos/video-cards.ts'

/** A video in the list. */
export type ListedVideo = {
  videoId: string
  name: string
  status: VideoStatus
  phase: Phase | undefined
  percent: number
  /** The time left, in words. */
  left: string | undefined
  /** Whether the video was only listened to, so that nothing can be watched. */
  isAnalysis: boolean
  /** The edits, in a word or two each. */
  edits: string[]
  seconds: number | undefined
  bytes: number | undefined
  picture: { width: number; height: number } | undefined
  thumbnailUrl: string | undefined
  errorMessage: string | undefined
  warnings: number
  createdAt: string
}

export async function describeCard(
  card: VideoCard & Pick<ShownVideo, 'left'>,
  linkTo: LinkMaker,
): Promise<ListedVideo> {
  const { result, phase, left } = card
  const facts = result?.videoMetadata
  const thumbnail = await linkTo(card, 'thumbnail')
  return {
    videoId: card.id,
    name: card.name,
    status: card.status,
    phase: card.status === 'running' && isPhase(phase) ? phase : undefined,
    percent: Math.floor(card.progressPercent),
    left: left && sayLeft(describeLeft(left, Date.now())),
    isAnalysis: card.isAnalysis === 1,
    edits: editsOf(card),
    seconds: facts?.duration,
    bytes: facts?.sizeInBytes,
    picture: facts && { width: facts.width, height: facts.height },
    thumbnailUrl: thumbnail?.url,
    errorMessage: card.errorMessage ?? undefined,
    warnings: result?.warnings.length ?? 0,
    createdAt: timestamp(card.createdAt),
  }
}

/** "9:16", "captions", "−24 s" */
function editsOf({
  aspectRatio,
  hasCaptions,
  hasOverlays,
  cleansSound,
  isAnalysis,
  result,
}: VideoCard): string[] {
  const seconds = Object.values(result?.removed ?? {})
  const removed = seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  const edits = [
    isAnalysis === 1 && 'words and pauses',
    aspectRatio !== null && aspectRatio !== 'original' && aspectRatio,
    hasCaptions === 1 && 'captions',
    hasOverlays === 1 && 'overlays',
    cleansSound === 1 && 'clean sound',
    removed >= 0.1 && `−${formatSeconds(removed)}`,
  ]
  return edits.filter((edit) => edit !== false)
}

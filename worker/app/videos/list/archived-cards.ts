import { listArchived } from '../../../service/videos/search-videos.ts'
import { findArchived } from '../../../store/videos/archive.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import type { VideoCard } from '../../../store/videos/video-cards.ts'
import type { PageEnd } from '../../../contract/video/page-cursor.ts'

/** A row can be a megabyte, so only a few are in memory at once. */
const rowsAtOnce = 13

/** The archived videos of the account, newest first, beginning after `after`. */
export async function listArchivedCards(
  bucket: R2Bucket,
  accountId: string,
  { after, limit }: { after: PageEnd | undefined; limit: number },
): Promise<VideoCard[]> {
  const cards: VideoCard[] = []
  for (let last = after; cards.length < limit;) {
    const count = Math.min(rowsAtOnce, limit - cards.length)
    const videos = await listArchived(bucket, accountId, { after: last, limit: count })
    cards.push(...videos.map(cardOf))
    if (videos.length < count) break
    last = videos.at(-1)
  }
  return cards
}

/** The cards of archived videos. */
export async function findArchivedCards(
  bucket: R2Bucket,
  accountId: string,
  ids: readonly string[],
): Promise<VideoCard[]> {
  const found = await Promise.all(ids.map(async (id) => findArchived(bucket, accountId, id)))
  return found.flatMap((one) => (one ? [cardOf(one.video)] : []))
}

function cardOf(video: ShownVideo): VideoCard {
  const { id, jobId, name, status, phase, progressPercent, result, errorMessage } = video
  const { createdAt, updatedAt, filesExpireAt } = video
  const {
    aspectRatio = null,
    captions,
    elements,
    removeNoise,
    normalizeAudio,
    analyzeOnly,
  } = video.request
  const edits = {
    aspectRatio,
    hasCaptions: Number(captions !== undefined),
    hasOverlays: Number((elements?.length ?? 0) > 0),
    cleansSound: Number(removeNoise || normalizeAudio !== false),
    isAnalysis: Number(analyzeOnly),
  }
  return {
    ...{ id, jobId, name, status, phase, progressPercent, ...edits, result, errorMessage },
    ...{ createdAt, updatedAt, filesExpireAt },
  }
}

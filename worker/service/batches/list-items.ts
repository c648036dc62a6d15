import type { BatchItem } from '../../contract/batches/batch.ts'
import type { Env } from '../../settings.ts'
import type { BatchRow } from '../../store/tables/tables.ts'
import { findArchived } from '../../store/videos/archive.ts'
import { listVideosByIds } from '../../store/videos/videos.ts'

/** Videos in the order of the items. One that has left the database is in the archive, or was deleted. */
export async function listItems(
  env: Env,
  { accountId, videoIds }: BatchRow,
  { first, limit }: { first: number; limit: number },
): Promise<BatchItem[]> {
  const ids = videoIds.slice(first, first + limit)
  const rows = new Map((await listVideosByIds(env.DB, accountId, ids)).map((row) => [row.id, row]))
  return Promise.all(
    ids.map(async (videoId, i): Promise<BatchItem> => {
      const item = first + i
      const video = rows.get(videoId) ?? (await findArchived(env.BUCKET, accountId, videoId))?.video
      if (!video) return { item, videoId, status: 'deleted' }
      const { status, name: videoName, progressPercent, errorMessage } = video
      return {
        ...{ item, videoId, status, videoName, progressPercent },
        ...(errorMessage !== null && { errorMessage }),
      }
    }),
  )
}

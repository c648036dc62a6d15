import { findArchived, listArchivedIds } from '../../store/videos/archive.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import type { ListPosition } from '../../store/videos/videos.ts'

/**
 * The next archived videos of the account, newest first, strictly after `after`. Passes over names whose record was deleted
 * while the archive was being written.
 */
export async function listArchived(
  bucket: R2Bucket,
  accountId: string,
  { after, limit: count }: { after?: ListPosition | undefined; limit: number },
): Promise<ShownVideo[]> {
  const videos: ShownVideo[] = []
  for (let last = after; ;) {
    const limit = count - videos.length
    const names = await listArchivedIds(bucket, accountId, { after: last, limit })
    const found = await Promise.all(
      names.map(async ({ id }) => findArchived(bucket, accountId, id)),
    )
    videos.push(...found.flatMap((one) => (one ? [one.video] : [])))
    if (videos.length === count || names.length < limit) return videos
    last = names.at(-1)
  }
}

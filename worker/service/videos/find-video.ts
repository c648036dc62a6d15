import type { Env } from '../../settings.ts'
import { findArchived } from '../../store/videos/archive.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideo } from '../../store/videos/videos.ts'

/**
 * A video of the account, from the database or else from the archive. The archive is asked last: a video that leaves the
 * database is there before its row is removed, so it is always found.
 */
export async function findKeptVideo(
  env: Env,
  accountId: string,
  videoId: string,
): Promise<ShownVideo | undefined> {
  const row = await findVideo(env.DB, accountId, videoId)
  return row ?? (await findArchived(env.BUCKET, accountId, videoId))?.video
}

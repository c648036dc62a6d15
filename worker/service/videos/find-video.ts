import type { Env } from '../../settings.ts'
import { findArchived } from '../../store/videos/archive.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideo } from '../../store/videos/videos.ts'
import { AppError } from '../../contract/answers/errors.ts'

/**
 * A video of the account, from the database or else from the archive. The archive is asked last: a video is written there
 * before its row is removed, so it is always found.
 */
export async function findKeptVideo(
  env: Env,
  accountId: string,
  videoId: string,
): Promise<ShownVideo | undefined> {
  const row = await findVideo(env.DB, accountId, videoId)
  return row ?? (await findArchived(env.BUCKET, accountId, videoId))?.video
}

/** The same whether there is no such video or it is another account's. */
export function videoNotFound(): AppError {
  return new AppError('NotFound', 'Video not found.')
}

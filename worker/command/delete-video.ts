import { AppError } from '../contract/errors.ts'
import { describeError, log } from '../service/log.ts'
import { videoNotFound } from '../service/video-not-found.ts'
import type { Env } from '../settings.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects.ts'
import { settleTombstones } from '../store/retention.ts'
import type { ShownVideo } from '../store/tables.ts'
import { deleteVideo as removeVideo, findVideo } from '../store/videos.ts'

/** Deletes a video that has ended, with all of its files. */
export async function deleteVideo(env: Env, video: ShownVideo, now: number): Promise<void> {
  const prefixes = [
    videoPrefix(video.id),
    ...(video.source ? [uploadPrefix(video.source.uploadId)] : []),
  ]
  const { accountId, id: videoId } = video
  const deleted = await removeVideo(env.DB, { accountId, videoId, prefixes }, now)
  if (!deleted) {
    if (!(await findVideo(env.DB, accountId, videoId))) throw videoNotFound()
    const message = `The video is ${video.status}; cancel it before deleting it.`
    throw new AppError('Conflict', message)
  }
  try {
    for (const prefix of prefixes) {
      await deleteObjects(env.BUCKET, prefix)
      await settleTombstones(env.DB, [prefix], now)
    }
  } catch (error) {
    // The links died with the row. The tombstone is due, so the sweep removes the objects.
    log('error', 'objects of a deleted video remain', { videoId, ...describeError(error) })
  }
}

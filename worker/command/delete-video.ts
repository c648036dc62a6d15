import { AppError } from '../contract/errors.ts'
import { isTerminal } from '../contract/video-state.ts'
import { describeError, log } from '../service/log.ts'
import { videoNotFound } from '../service/video-not-found.ts'
import type { Env } from '../settings.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects.ts'
import { settleTombstones } from '../store/retention.ts'
import type { ShownVideo } from '../store/tables.ts'
import { deleteVideo as removeVideo } from '../store/videos.ts'

/**
 * Deletes a video that has ended, with all of its files. The files go first, because links end with them and not with
 * the row; if the bucket does not answer, nobody is told that the video is deleted.
 */
export async function deleteVideo(env: Env, video: ShownVideo, now: number): Promise<void> {
  const { accountId, id: videoId } = video
  // An end is final, so what was read of it still holds.
  if (!isTerminal(video.status)) {
    const message = `The video is ${video.status}; cancel it before deleting it.`
    throw new AppError('Conflict', message)
  }
  const prefixes = [
    videoPrefix(videoId),
    ...(video.source ? [uploadPrefix(video.source.uploadId)] : []),
  ]
  for (const prefix of prefixes) await deleteObjects(env.BUCKET, prefix)
  // Somebody else may have deleted it meanwhile.
  if (!(await removeVideo(env.DB, { accountId, videoId, prefixes }, now))) throw videoNotFound()
  try {
    await settleTombstones(env.DB, prefixes, now)
  } catch (error) {
    // The tombstones stay due, so the sweep empties the prefixes once more.
    log('warn', 'tombstones were not settled', { videoId, ...describeError(error) })
  }
}

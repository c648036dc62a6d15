import { describeError, log } from '../service/log.ts'
import { removeUploadObjects } from '../service/source-upload.ts'
import type { Env } from '../settings.ts'
import { dropExpired, forgetUploads, listExpiredUploads } from '../store/uploads.ts'

/** One tick removes no more than this; the next one goes on where it stopped. */
const uploadsPerTick = 200

/** Removes uploads that became no video in time, with whatever of them lies in the bucket. */
export async function sweepUploads(env: Env, now: number): Promise<void> {
  const expired = await listExpiredUploads(env.DB, now, uploadsPerTick)
  const ids = expired.map(({ id }) => id)
  // What a video has is removed with the video; the row only said that it is taken.
  const over = expired.filter(({ status }) => status === 'used').map(({ id }) => id)
  for (const upload of await dropExpired(env.DB, ids, now)) {
    const uploadId = upload.id
    try {
      await removeUploadObjects(env, upload)
      over.push(uploadId)
    } catch (error) {
      log('error', 'sweep could not remove an upload', { uploadId, ...describeError(error) })
    }
  }
  await forgetUploads(env.DB, over)
}

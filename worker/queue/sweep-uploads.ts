import { describeError, log } from '../service/log.ts'
import { removeUploadObjects } from '../service/uploads/source-upload.ts'
import type { Env } from '../settings.ts'
import { dropExpired, forgetUploads, listExpiredUploads } from '../store/objects/uploads.ts'

/** One tick removes this many uploads at most; the next one continues. */
const uploadsPerTick = 200

/** Removes uploads that did not become a video in time, and their objects. */
export async function sweepUploads(env: Env, now: number): Promise<void> {
  const expired = await listExpiredUploads(env.DB, now, uploadsPerTick)
  const ids = expired.map(({ id }) => id)
  // The objects of a used upload are removed with its video; the row only said that the upload is taken.
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

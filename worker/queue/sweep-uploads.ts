import { describeError, log } from '../service/log.ts'
import { removeUploadObjects } from '../service/source-upload.ts'
import type { Env } from '../settings.ts'
import type { UploadRow } from '../store/tables.ts'
import { dropUpload, forgetUpload, listExpiredUploads } from '../store/uploads.ts'

/** One tick removes no more than this; the next one goes on where it stopped. */
const uploadsPerTick = 200

/** Removes uploads that became no video in time, with whatever of them lies in the bucket. */
export async function sweepUploads(env: Env, now: number): Promise<void> {
  for (const upload of await listExpiredUploads(env.DB, now, uploadsPerTick)) {
    try {
      await removeUpload(env, upload, now)
    } catch (error) {
      const uploadId = upload.id
      log('error', 'sweep could not remove an upload', { uploadId, ...describeError(error) })
    }
  }
}

async function removeUpload(env: Env, upload: UploadRow, now: number): Promise<void> {
  const { id, status } = upload
  // What a video has is removed with the video; the row only said that it is taken.
  if (status === 'used') await forgetUpload(env.DB, { id, from: 'used' })
  else if (status === 'dropped' || (await dropUpload(env.DB, { id, from: status }, now))) {
    await removeUploadObjects(env, upload)
    await forgetUpload(env.DB, { id, from: 'dropped' })
  }
}

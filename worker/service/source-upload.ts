import { mintId } from '../contract/ids.ts'
import type { Env } from '../settings.ts'
import {
  abortUpload,
  beginUpload,
  deleteObjects,
  sourceKey,
  uploadPrefix,
} from '../store/objects.ts'
import type { VideoSource } from '../store/tables.ts'
import { forgetUpload, insertUpload, type NewUpload } from '../store/uploads.ts'
import { describeError, log } from './log.ts'

/** Whatever has not become a video's source by then is swept. */
export const uploadLifetimeMs = 86_400_000

export type OpenedUpload = { uploadId: string; key: string; multipartId: string; expiresAt: number }

type Announced = Pick<NewUpload, 'accountId' | 'fileName' | 'contentType' | 'partBytes'> & {
  sizeBytes: number | null
}

/** Begins the object of a source and notes it, so that no crash leaves bytes that nothing knows of. */
export async function openUpload(
  env: Env,
  announced: Announced,
  status: 'receiving' | 'open',
  now: number,
): Promise<OpenedUpload> {
  const uploadId = mintId('u')
  const key = sourceKey(uploadId)
  const multipartId = await beginUpload(env.BUCKET, key, announced.contentType)
  const expiresAt = now + uploadLifetimeMs
  const row = { ...announced, id: uploadId, status, multipartId, createdAt: now, expiresAt }
  await insertUpload(env.DB, row)
  return { uploadId, key, multipartId, expiresAt }
}

/** A form whose file was not stored after all. What cannot be removed now, the sweep removes. */
export async function dropReceived(env: Env, opened: OpenedUpload): Promise<void> {
  try {
    await removeUploadObjects(env, { id: opened.uploadId, multipartId: opened.multipartId })
    await forgetUpload(env.DB, { id: opened.uploadId, from: 'receiving' })
  } catch (error) {
    log('warn', 'a dropped upload remains for the sweep', {
      uploadId: opened.uploadId,
      ...describeError(error),
    })
  }
}

/** Aborting what was completed is refused by R2; deleting the object then does the work. */
export async function removeUploadObjects(
  env: Env,
  upload: { id: string; multipartId: string },
): Promise<void> {
  const key = sourceKey(upload.id)
  try {
    await abortUpload(env.BUCKET, { key, uploadId: upload.multipartId })
  } catch (error) {
    log('info', 'a multipart upload was not there to be aborted', {
      uploadId: upload.id,
      ...describeError(error),
    })
  }
  await deleteObjects(env.BUCKET, uploadPrefix(upload.id))
}

/** Where a source lies, as its video remembers it. */
export function receivedSource(opened: OpenedUpload, fileName: string): VideoSource {
  return { uploadId: opened.uploadId, field: 'file', fileName }
}

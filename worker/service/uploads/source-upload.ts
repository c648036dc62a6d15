import { mintId } from '../../contract/ids.ts'
import type { Env } from '../../settings.ts'
import {
  abortIfThere,
  abortUpload,
  beginUpload,
  deleteObjects,
  sourceKey,
  uploadPrefix,
} from '../../store/objects/objects.ts'
import type { VideoSource } from '../../store/tables/tables.ts'
import {
  findUpload,
  forgetUpload,
  insertUpload,
  type NewUpload,
} from '../../store/objects/uploads.ts'
import { readUsedBytes } from '../../store/usage.ts'
import { quotaExceeded, readQuota } from '../limits/quota.ts'
import { describeError, log } from '../log.ts'

/** An upload that has not become a video's source by then is swept. */
export const uploadLifetimeMs = 86_400_000

export type SourceUpload = { uploadId: string; key: string; multipartId: string; expiresAt: number }

type Announced = Pick<NewUpload, 'accountId' | 'fileName' | 'contentType' | 'partBytes'> & {
  sizeBytes: number | null
}

/** Begins the object of a source and records it, so that no crash leaves bytes that nothing knows about. */
export async function openUpload(
  env: Env,
  announced: Announced,
  status: 'receiving' | 'open',
  now: number,
): Promise<SourceUpload> {
  const uploadId = mintId('u')
  const key = sourceKey(uploadId)
  const multipartId = await beginUpload(env.BUCKET, key, announced.contentType)
  const expiresAt = now + uploadLifetimeMs
  const row = { ...announced, id: uploadId, status, multipartId, createdAt: now, expiresAt }
  const mostBytes = readQuota(env)
  if (!(await insertUpload(env.DB, row, mostBytes))) {
    await abortUpload(env.BUCKET, { key, uploadId: multipartId })
    throw quotaExceeded(await readUsedBytes(env.DB, announced.accountId), mostBytes ?? 0)
  }
  return { uploadId, key, multipartId, expiresAt }
}

/** Removes a file of a form that was refused in the end. What cannot be removed now, the sweep removes. */
export async function dropReceived(
  env: Env,
  accountId: string,
  opened: SourceUpload,
): Promise<void> {
  try {
    // A video may have taken it already, if only the answer of the database was lost.
    const row = await findUpload(env.DB, accountId, opened.uploadId, Date.now())
    if (row?.status !== 'receiving') return
    await removeUploadObjects(env, { id: opened.uploadId, multipartId: opened.multipartId })
    await forgetUpload(env.DB, { id: opened.uploadId, from: 'receiving' })
  } catch (error) {
    log('warn', 'a dropped upload remains for the sweep', {
      uploadId: opened.uploadId,
      ...describeError(error),
    })
  }
}

/**
 * If the upload cannot be aborted, this throws and the row has to stay: a request that is still completing it could leave
 * an object of which no row knows.
 */
export async function removeUploadObjects(
  env: Env,
  upload: { id: string; multipartId: string },
): Promise<void> {
  const key = sourceKey(upload.id)
  await abortIfThere(env.BUCKET, { key, uploadId: upload.multipartId })
  await deleteObjects(env.BUCKET, uploadPrefix(upload.id))
}

/** How a video remembers where its source is stored. */
export function receivedSource(
  { uploadId }: SourceUpload,
  file: { fileName: string; sizeBytes: number },
): VideoSource {
  return { uploadId, field: 'file', ...file }
}

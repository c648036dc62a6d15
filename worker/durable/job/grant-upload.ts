import type { OutputGrant } from '../../contract/job/media-job.ts'
import { reachOf } from '../../service/jobs/reach.ts'
import type { Settings } from '../../settings.ts'
import { AddressSigner } from '../../store/objects/address-signer.ts'
import {
  abortUpload,
  beginUpload,
  outputPartBytes,
  type PendingUpload,
} from '../../store/objects/objects.ts'

/** Signs an address for each part of an upload, at the host where this media worker reaches the bucket. */
export async function grantUpload(
  settings: Settings,
  upload: PendingUpload,
  worker: string,
): Promise<OutputGrant> {
  const signer = new AddressSigner(settings)
  const reach = reachOf(settings, worker)
  const count = Math.ceil(upload.sizeBytes / outputPartBytes)
  const parts = await Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      partNumber: i + 1,
      url: await reach.storage(await signer.writePart(upload, i + 1)),
    })),
  )
  return { partSizeBytes: outputPartBytes, parts }
}

/** A repeated request, as after a lost answer, gets the same upload. */
export async function beginPartUpload(
  bucket: R2Bucket,
  known: PendingUpload | undefined,
  { key, sizeBytes }: Pick<PendingUpload, 'key' | 'sizeBytes'>,
): Promise<PendingUpload> {
  if (known?.sizeBytes === sizeBytes) return known
  if (known) await abortUpload(bucket, known).catch(() => undefined)
  const uploadId = await beginUpload(bucket, key, 'application/octet-stream')
  return { key, uploadId, sizeBytes }
}

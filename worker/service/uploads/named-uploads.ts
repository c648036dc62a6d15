import { readUploadAddress } from '../../contract/addresses/upload-address.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import { addressesNamed, type Naming } from '../../contract/storages/named-storages.ts'
import type { Env } from '../../settings.ts'
import { findUploads, keepUploads } from '../../store/objects/uploads.ts'
import type { StoredJobError, UploadRow, VideoRow } from '../../store/tables/tables.ts'
import { uploadLifetimeMs } from './source-upload.ts'

function uploadsNamed(request: Naming): { field: string; uploadId: string }[] {
  return addressesNamed(request).flatMap(({ field, url }) => {
    const uploadId = readUploadAddress(url)
    return uploadId === undefined ? [] : [{ field, uploadId }]
  })
}

/** Finds the uploads that these requests name and that cannot be read. If none is named, the database is asked nothing. */
export async function uploadJudge(
  env: Env,
  accountId: string,
  requests: readonly Naming[],
): Promise<(request: Naming) => FieldFault[]> {
  const ids = idsOf(requests)
  const rows = ids.length === 0 ? [] : await findUploads(env.DB, accountId, ids, Date.now())
  const found = new Map(rows.map((row) => [row.id, row]))
  return (request) =>
    uploadsNamed(request).flatMap(({ field, uploadId }) => {
      const message = faultOf(uploadId, found.get(uploadId))
      return message === undefined ? [] : [{ field, message }]
    })
}

/**
 * Files that are laid over a video are used several times, so a video does not take such an upload: it stays for a day
 * after the last request that named it.
 */
export async function keepNamedUploads(
  env: Env,
  accountId: string,
  requests: readonly Naming[],
  now: number,
): Promise<void> {
  const ids = idsOf(requests)
  if (ids.length > 0) await keepUploads(env.DB, accountId, ids, now + uploadLifetimeMs)
}

/** Why a job cannot begin: an upload that its request names is gone. */
export async function goneUpload(
  env: Env,
  { accountId, request }: Pick<VideoRow, 'accountId' | 'request'>,
): Promise<StoredJobError | undefined> {
  const [fault] = (await uploadJudge(env, accountId, [request]))(request)
  return (
    fault && {
      ...{ error: 'ProcessingError', reason: 'source_unreachable' },
      message: `${fault.field}: ${fault.message}.`,
    }
  )
}

function idsOf(requests: readonly Naming[]): string[] {
  return [...new Set(requests.flatMap(uploadsNamed).map(({ uploadId }) => uploadId))]
}

function faultOf(uploadId: string, upload: UploadRow | undefined): string | undefined {
  switch (upload?.status) {
    case 'ready':
      return undefined
    case 'open':
      return `The upload ${uploadId} is not complete yet; complete it first`
    case 'refused':
      return `The upload ${uploadId} was refused: ${upload.refusal?.message ?? 'its file is not supported'}`
    case 'used':
      return `The upload ${uploadId} has become the source of video ${upload.videoId}; upload the file once more`
    default:
      return `There is no upload ${uploadId}. One is kept for a day after it was last named; upload the file once more`
  }
}

import { AppError } from '../../contract/answers/errors.ts'
import type { Env } from '../../settings.ts'
import type { UploadRow, VideoSource } from '../../store/tables/tables.ts'
import { findUpload } from '../../store/objects/uploads.ts'

/** The source that a finished direct upload has become. An error says why any other upload cannot be used. */
export async function readySource(
  env: Env,
  accountId: string,
  uploadId: string,
  now: number,
): Promise<VideoSource> {
  const upload = await findUpload(env.DB, accountId, uploadId, now)
  const fault = upload ? faultOf(upload) : notFound()
  if (!upload || fault) throw fault ?? notFound()
  const { fileName, sizeBytes } = upload
  // A direct upload has announced its size.
  return { uploadId, field: 'uploadId', fileName, sizeBytes: sizeBytes ?? 0 }
}

function notFound(): AppError {
  return new AppError('NotFound', 'Upload not found.')
}

function faultOf({ id, status, videoId, contentType }: UploadRow): AppError | undefined {
  switch (status) {
    case 'ready':
      if (!contentType.startsWith('image/')) return undefined
      return new AppError(
        'Conflict',
        `The upload is a picture (${contentType}). Name it as the url of an element, or of one of several files: upload://${id}`,
      )
    case 'open':
      return new AppError('Conflict', 'The upload is open; complete it first.')
    case 'refused':
      return new AppError('Conflict', 'The upload was refused: it is not a supported video.')
    case 'used':
      return new AppError(
        'Conflict',
        `The upload was already used by video ${videoId}. To use its file again, give sourceVideoId: "${videoId}" in place of uploadId.`,
      )
    case 'receiving':
    case 'dropped':
      return notFound()
  }
}

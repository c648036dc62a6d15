import { AppError } from '../../contract/answers/errors.ts'
import { asksForTranscript } from '../../contract/options/options.ts'
import type { Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import type { StoredOutput, VideoRow } from '../../store/tables/tables.ts'

const retryAfterSeconds = 5

/** Throws an error that says why there is no transcript yet, or why there will be none. */
export function requireCompleted(video: VideoRow): void {
  const { transcriptStatus: status, transcript } = video
  switch (status) {
    case 'completed':
      return
    case 'pending':
    case 'processing':
      throw new AppError('Conflict', `The transcript is not ready yet; it is ${status}.`, {
        retryAfterSeconds,
      })
    case 'failed':
      throw new AppError('NotFound', transcript?.message ?? 'Transcription failed.')
    case 'not_requested':
      throw new AppError('NotFound', explainAbsence(video))
  }
}

function explainAbsence({ id, request }: VideoRow): string {
  return asksForTranscript(request)
    ? 'This video has no transcript; the warnings in its record say why.'
    : `This video was made without a transcript. For one, make it once more with {"sourceVideoId": "${id}", "enableTranscription": true}.`
}

/** Opens a file of a transcript that has to be there. */
export async function openTranscript(
  env: Env,
  { filesExpireAt }: VideoRow,
  file: StoredOutput | undefined,
): Promise<R2ObjectBody> {
  const isGone = !file || (filesExpireAt !== null && filesExpireAt <= Date.now())
  const object = isGone ? null : await callStorage(() => env.BUCKET.get(file.key))
  if (object) return object
  throw new AppError('NotFound', 'The files of this transcript have expired or were deleted.')
}

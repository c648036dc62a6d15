import type { CreateVideo } from '../../contract/options/create-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import type { Env } from '../../settings.ts'
import type { ShownVideo, VideoSource } from '../../store/tables/tables.ts'
import { timestamp } from './describe-video.ts'
import { findKeptVideo } from './find-video.ts'

/** What `sourceVideoId` stands for: the file that the other video keeps, or the addresses from which it was made. */
type SourceOfVideo =
  | { stored: { source: VideoSource; sharedWith: string } }
  | { addresses: Pick<CreateVideo, 'fileUrl' | 'files' | 'combine'> }

export async function sourceOfVideo(
  env: Env,
  accountId: string,
  sourceVideoId: string,
): Promise<SourceOfVideo> {
  const video = await findKeptVideo(env, accountId, sourceVideoId)
  if (!video) throw new AppError('NotFound', `sourceVideoId: there is no video ${sourceVideoId}.`)
  const { fileUrl, files, combine } = video.request
  if (fileUrl !== undefined) return { addresses: { fileUrl, combine } }
  if (files) return { addresses: { files, combine } }
  if (!video.source || video.sourceDeletedAt !== null) throw sourceGone(video)
  const source = { ...video.source, field: 'sourceVideoId' } as const
  return { stored: { source, sharedWith: video.id } }
}

export function sourceGone({ id, sourceExpiresAt }: Pick<ShownVideo, 'id' | 'sourceExpiresAt'>) {
  const until = sourceExpiresAt === null ? '' : ` It was kept until ${timestamp(sourceExpiresAt)}.`
  return new AppError('Conflict', `The file of ${id} is no longer kept; send it again.${until}`)
}

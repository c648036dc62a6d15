import type { CreateVideo } from '../../contract/options/create-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { readStorageAddress } from '../../contract/storages/storage-address.ts'
import type { Env, Settings } from '../../settings.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import type { NewVideo } from '../../store/videos/insert-videos.ts'
import { signedSource, signSources } from '../storages/sign-sources.ts'
import { readySource } from '../uploads/ready-source.ts'
import { timestamp } from './describe-video.ts'
import { findKeptVideo } from './find-video.ts'

/** What a video is made of: a file in the bucket, which it takes or shares, or addresses. */
export type FoundSource = Pick<NewVideo, 'source' | 'uploadId' | 'sharedWith'> & {
  addresses?: Pick<CreateVideo, 'fileUrl' | 'files' | 'combine'>
}

/** The source that a request names by an upload or by an earlier video; empty if it names addresses. */
export async function findSource(
  env: Env,
  accountId: string,
  { uploadId, sourceVideoId }: Pick<CreateVideo, 'uploadId' | 'sourceVideoId'>,
  now: number,
): Promise<FoundSource> {
  if (uploadId !== undefined) {
    return { source: await readySource(env, accountId, uploadId, now), uploadId }
  }
  return sourceVideoId === undefined ? {} : sourceOfVideo(env, accountId, sourceVideoId)
}

/** The file that the other video keeps, or the addresses from which it was made. */
async function sourceOfVideo(
  env: Env,
  accountId: string,
  sourceVideoId: string,
): Promise<FoundSource> {
  const video = await findKeptVideo(env, accountId, sourceVideoId)
  if (!video) throw new AppError('NotFound', `sourceVideoId: there is no video ${sourceVideoId}.`)
  const { fileUrl, files, combine } = video.request
  if (fileUrl !== undefined) return { addresses: { fileUrl, combine } }
  if (files) return { addresses: { files, combine } }
  if (!video.source || video.sourceDeletedAt !== null) throw sourceGone(video)
  return { source: { ...video.source, field: 'sourceVideoId' }, sharedWith: video.id }
}

/**
 * Where a browser finds the only source of a video: at `kept` if the service keeps it, or at the address from which it came;
 * undefined if it is at neither. The address of an object in a storage is signed for some hours.
 */
export async function findSourceUrl(
  env: Env,
  settings: Settings,
  { video, kept }: { video: ShownVideo; kept: string },
): Promise<string | undefined> {
  if (video.source) return video.sourceDeletedAt === null ? kept : undefined
  const { fileUrl } = video.request
  if (fileUrl === undefined || readStorageAddress(fileUrl) === undefined) return fileUrl
  const signed = await signSources(env, settings, video)
  return signed.outcome === 'signed' ? signedSource(signed.sources, fileUrl) : undefined
}

export function sourceGone({ id, sourceExpiresAt }: Pick<ShownVideo, 'id' | 'sourceExpiresAt'>) {
  const until = sourceExpiresAt === null ? '' : ` It was kept until ${timestamp(sourceExpiresAt)}.`
  return new AppError('Conflict', `The file of ${id} is no longer kept; send it again.${until}`)
}

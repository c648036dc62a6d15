import { callStorage } from '../database.ts'
import type { VideoResult } from '../tables/tables.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'

/** All objects of a video have its prefix, so that deleting them takes one listing. */
export function videoPrefix(videoId: string): string {
  return `videos/${videoId}/`
}

/** A source has its own prefix, because it is stored before there is a video and R2 cannot rename it. */
export function uploadPrefix(uploadId: string): string {
  return `uploads/${uploadId}/`
}

export function sourceKey(uploadId: string): string {
  return `${uploadPrefix(uploadId)}source`
}

/** The fence is part of the key: an attempt that lost its claim cannot write over the one that won. */
export function outputKey(videoId: string, fence: number, fileName: string): string {
  return `${videoPrefix(videoId)}out/${fence}/${fileName}`
}

const goneKey = (videoId: string) => `${videoPrefix(videoId)}gone`

/** Marks the video under whose name files lie as deleted, while other videos still use these files. */
export async function markGone(bucket: R2Bucket, videoId: string): Promise<void> {
  await callStorage(() => bucket.put(goneKey(videoId), ''))
}

export async function isMarkedGone(bucket: R2Bucket, videoId: string): Promise<boolean> {
  return (await callStorage(() => bucket.head(goneKey(videoId)))) !== null
}

/** The bucket is asked about this many files; a result hardly ever has more. */
const mostAsked = 20

/** Whether the files of a result are still in the bucket, from which an operator may have removed some by hand. */
export async function areStored(
  bucket: R2Bucket,
  { outputs }: Pick<VideoResult, 'outputs'>,
): Promise<boolean> {
  const keys = Object.values(outputs).flatMap((file) => file?.key ?? [])
  const asked = keys.slice(0, mostAsked).map(async (key) => callStorage(() => bucket.head(key)))
  const found = await Promise.all(asked)
  return found.every((one) => one !== null)
}

/** Files that media workers exchange while they render the parts of a job. None of them outlives the job. */
export const partsRoot = 'parts/'

export function partsPrefix(jobId: string): string {
  return `${partsRoot}${jobId}/`
}

/** The fence and, for a result, the try are part of the key, so that no late writer can write over another. */
export function partsKey({ jobId, fence }: { jobId: string; fence: number }, name: string): string {
  return `${partsPrefix(jobId)}${fence}/${name}`
}

/** All parts but the last are equal, and far below the 90 MB that the edge accepts in one request. */
export const outputPartBytes = 64 * 1024 * 1024

export type PendingUpload = { key: string; uploadId: string; sizeBytes: number }
export type UploadedPart = { partNumber: number; etag: string }

export async function beginUpload(bucket: R2Bucket, key: string, contentType: string) {
  return callStorage(async () => {
    const upload = await writeToBucket(async () =>
      bucket.createMultipartUpload(key, { httpMetadata: { contentType } }),
    )
    return upload.uploadId
  })
}

/**
 * Completes the upload of a media worker, and trusts it only if R2 confirms the size. `lost`: the content is missing and
 * will stay so, however often this is tried. Any other fault may have passed by the next try.
 */
export async function completeUpload(
  bucket: R2Bucket,
  upload: PendingUpload,
  parts: readonly UploadedPart[],
): Promise<{ etag: string } | 'lost'> {
  return callStorage(async () => {
    const object = await completeOrFind(bucket, upload, parts)
    if (object?.size === upload.sizeBytes) return { etag: object.httpEtag }
    if (object) await bucket.delete(upload.key)
    return 'lost'
  })
}

/** R2's error numbers for: a part too small or too large, no such upload, no such part, parts that do not fit together. */
const lostCodes = ['10011', '10012', '10024', '10025', '10048']

function isLost(error: unknown): boolean {
  const code = error instanceof Error ? /\((\d+)\)\s*$/.exec(error.message)?.[1] : undefined
  return code !== undefined && lostCodes.includes(code)
}

/** S3 answers a PUT with an ETag in quotes; R2's binding uses it without. */
function asBindingPart({ partNumber, etag }: UploadedPart): UploadedPart {
  return { partNumber, etag: etag.replace(/^"|"$/g, '') }
}

/** Finds the object if the upload was completed already, by an earlier report. */
async function completeOrFind(
  bucket: R2Bucket,
  upload: PendingUpload,
  parts: readonly UploadedPart[],
): Promise<R2Object | undefined> {
  try {
    return await bucket
      .resumeMultipartUpload(upload.key, upload.uploadId)
      .complete(parts.map(asBindingPart).sort((a, b) => a.partNumber - b.partNumber))
  } catch (error) {
    const object = await bucket.head(upload.key)
    if (object) return object
    if (isLost(error)) return undefined
    throw error
  }
}

export async function abortUpload(
  bucket: R2Bucket,
  upload: Pick<PendingUpload, 'key' | 'uploadId'>,
): Promise<void> {
  await callStorage(() => bucket.resumeMultipartUpload(upload.key, upload.uploadId).abort())
}

/** The same for an upload that may have been completed or aborted before. Afterwards it can never be completed. */
export async function abortIfThere(
  bucket: R2Bucket,
  upload: Pick<PendingUpload, 'key' | 'uploadId'>,
): Promise<void> {
  await callStorage(async () => {
    try {
      await bucket.resumeMultipartUpload(upload.key, upload.uploadId).abort()
    } catch (error) {
      if (!isLost(error)) throw error
    }
  })
}

/** Removes every object under a prefix, a page of keys at a time. */
export async function deleteObjects(bucket: R2Bucket, prefix: string): Promise<void> {
  await callStorage(async () => {
    for (;;) {
      const page = await bucket.list({ prefix, limit: 500 })
      if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key))
      if (!page.truncated) return
    }
  })
}

const rememberedMs = 120_000
const lastRefused = isolateMemory<number | undefined>(() => undefined)

/** Writes to the bucket from memory, so that any failure is the bucket's own. */
export async function writeToBucket<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    const value = await write()
    lastRefused.current = undefined
    return value
  } catch (error) {
    lastRefused.current = Date.now()
    throw error
  }
}

/** A bucket that can be read may still refuse writes, as a disk that is mounted read-only does. */
export function refusesWrites(now: number): boolean {
  const { current } = lastRefused
  return current !== undefined && now - current < rememberedMs
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  outputGrant,
  type MediaJob,
  type OutputGrant,
  type OutputRequest,
} from '../../../worker/contract/job/media-job.ts'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import { JobError, JobStop } from '../../errors/job-error.ts'
import { retried, type Tries } from '../../errors/retried.ts'
import { atMost } from '../../errors/at-most.ts'
import { isUnwanted, signedPost } from './signed-post.ts'

type FileUpload = {
  readonly file: string
  /** The address that grants upload addresses, and the request for them, once the size is known. */
  readonly grant: { url: string; key: string; body: (sizeBytes: number) => unknown }
  readonly signal: AbortSignal
  /** Pauses before the second, third, … try of a request. */
  readonly backoffMs?: readonly number[]
  onProgress(share: number): void
}

type OutputUpload = Omit<FileUpload, 'grant'> & {
  readonly job: Pick<MediaJob, 'fence' | 'reports'>
  readonly output: Pick<OutputRequest, 'kind' | 'extension'> & { readonly contentType?: string }
}

const partsAtOnce = 4
const defaultBackoffMs = [500, 1_000, 2_000, 5_000, 10_000]
/** Enough for a part of 90 MB at 100 KB a second. */
const partTimeoutMs = 900_000

/** Uploads one finished output of a job. */
export async function uploadOutput(request: OutputUpload): Promise<UploadedOutput> {
  const { job, output, ...upload } = request
  const { url, key } = job.reports
  const { fence } = job
  const { contentType = contentTypeOf(output.extension) } = output
  const body = (sizeBytes: number) =>
    ({ ...output, contentType, fence, sizeBytes }) satisfies OutputRequest
  const uploaded = await uploadFile({ ...upload, grant: { url: `${url}/outputs`, key, body } })
  return { kind: output.kind, ...uploaded }
}

/** Asks the Worker for upload addresses for one file, and uploads it in parts. */
export async function uploadFile(request: FileUpload): Promise<Omit<UploadedOutput, 'kind'>> {
  const { size } = await stat(request.file)
  const grant = await askForGrant(request, size)
  const lengths = partLengths(grant, size)
  let sentBytes = 0
  const parts = await atMost(partsAtOnce, lengths, request.signal, async (part, signal) => {
    const etag = await retried(triesOf(request, signal), async () =>
      putPart(request.file, part, signal),
    )
    sentBytes += part.length
    request.onProgress(sentBytes / size)
    return { partNumber: part.partNumber, etag }
  })
  return { sizeBytes: size, parts }
}

async function askForGrant(request: FileUpload, sizeBytes: number): Promise<OutputGrant> {
  const { grant, signal } = request
  const { url, key, body } = grant
  return retried(triesOf(request, signal), async () => {
    const response = await signedPost({ url, key, body: body(sizeBytes), signal })
    if (isUnwanted(response.status)) throw new JobStop('stopped')
    if (!response.ok) throw new Error(`The request for upload addresses got ${response.status}`)
    return outputGrant.parse(await response.json())
  })
}

type UploadPart = { partNumber: number; url: string; offset: number; length: number }

function partLengths({ partSizeBytes, parts }: OutputGrant, sizeBytes: number): UploadPart[] {
  const ordered = parts.toSorted((a, b) => a.partNumber - b.partNumber)
  const cut = ordered.map((part, i) => {
    const offset = i * partSizeBytes
    return { ...part, offset, length: Math.min(partSizeBytes, sizeBytes - offset) }
  })
  const isWhole = cut.length * partSizeBytes >= sizeBytes && cut.every((part) => part.length > 0)
  if (!isWhole) throw new Error('The granted parts do not fit the file')
  return cut
}

async function putPart(file: string, part: UploadPart, signal: AbortSignal): Promise<string> {
  const { offset, length } = part
  const slice = createReadStream(file, { start: offset, end: offset + length - 1 })
  const response = await fetch(part.url, {
    method: 'PUT',
    body: Readable.toWeb(slice),
    duplex: 'half',
    redirect: 'error',
    headers: { 'Content-Length': String(length) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(partTimeoutMs)]),
  }).finally(() => slice.destroy())
  await response.body?.cancel()
  const etag = response.headers.get('etag')
  if (!response.ok) throw new Error(`Part ${part.partNumber} was answered ${response.status}`)
  if (!etag) throw new Error(`Part ${part.partNumber} was answered without an ETag`)
  return etag
}

function triesOf(
  { backoffMs: pausesMs = defaultBackoffMs }: FileUpload,
  signal: AbortSignal,
): Tries {
  const waitAfter = (cause: unknown, pauseMs: number | undefined): number => {
    signal.throwIfAborted()
    if (cause instanceof JobStop) throw cause
    if (pauseMs !== undefined) return pauseMs
    const message = 'The result could not be stored.'
    throw new JobError('storage_failed', message, { retryable: true, cause })
  }
  return { pausesMs, signal, waitAfter }
}

/** The content type of a stored file, by its extension. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['avi', 'video/x-msvideo'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['m3u8', 'application/vnd.apple.mpegurl'],
  ['json', 'application/json'],
  ['txt', 'text/plain; charset=utf-8'],
  ['srt', 'application/x-subrip; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
])

export function contentTypeOf(extension: string): string {
  const known = contentTypes.get(extension)
  if (known === undefined) throw new Error(`No content type is known of ${extension}`)
  return known
}

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

type UploadRequest = {
  readonly job: Pick<MediaJob, 'fence' | 'reports'>
  readonly file: string
  readonly output: Pick<OutputRequest, 'kind' | 'extension' | 'contentType'>
  readonly signal: AbortSignal
  /** Pauses before the second, third, … try of a request. */
  readonly backoffMs?: readonly number[]
  onProgress(share: number): void
}

const partsAtOnce = 4
const defaultBackoffMs = [500, 1_000, 2_000, 5_000, 10_000]
/** A part of 90 MB at 100 KB a second. */
const partTimeoutMs = 900_000

/** Asks the Worker for upload addresses for one finished file, and uploads it in parts. */
export async function uploadOutput(request: UploadRequest): Promise<UploadedOutput> {
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
  return { kind: request.output.kind, sizeBytes: size, parts }
}

async function askForGrant(request: UploadRequest, sizeBytes: number): Promise<OutputGrant> {
  const { job, output, signal } = request
  return retried(triesOf(request, signal), async () => {
    const response = await signedPost({
      url: `${job.reports.url}/outputs`,
      key: job.reports.key,
      body: { ...output, fence: job.fence, sizeBytes } satisfies OutputRequest,
      signal,
    })
    if (isUnwanted(response.status)) throw new JobStop('stopped')
    if (!response.ok) throw new Error(`The request for upload addresses got ${response.status}`)
    return outputGrant.parse(await response.json())
  })
}

type UploadPart = { partNumber: number; url: string; offset: number; length: number }

function partLengths({ partSizeBytes, parts }: OutputGrant, sizeBytes: number): UploadPart[] {
  const ordered = [...parts].sort((a, b) => a.partNumber - b.partNumber)
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
  { backoffMs: pausesMs = defaultBackoffMs }: UploadRequest,
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

import {
  namedKind,
  type OutputGrant,
  type OutputKind,
  type OutputRequest,
} from '../../contract/job/media-job.ts'
import type { NamedOutput, Report, UploadedOutput } from '../../contract/job/report.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { StoredProof } from '../../service/jobs/conclude.ts'
import type { AttemptFailure } from '../../service/jobs/decide-attempt.ts'
import { describeError, log } from '../../service/log.ts'
import type { Settings } from '../../settings.ts'
import { abortUpload, beginUpload, completeUpload, outputKey } from '../../store/objects/objects.ts'
import type { StoredOutput, VideoResult } from '../../store/tables/tables.ts'
import { grantUpload } from './grant-upload.ts'
import type { GrantedUpload, Running, RunState } from './job-memory.ts'

type ResultUploads = Running['uploads']

/** Begins the multipart upload of one output and signs an address for each of its parts. */
export async function beginOutput(
  bucket: R2Bucket,
  settings: Settings,
  state: RunState,
  request: OutputRequest,
): Promise<{ grant: OutputGrant; upload: GrantedUpload }> {
  const upload = await uploadFor(bucket, state, request)
  const grant = await grantUpload(settings, upload, state.running?.worker ?? '')
  return { grant, upload }
}

/**
 * A repeated request, as after a lost answer, gets the same upload: a captured request that is sent again must not abort a
 * good one.
 */
async function uploadFor(
  bucket: R2Bucket,
  state: RunState,
  { kind, fence, sizeBytes, contentType, extension }: OutputRequest,
): Promise<GrantedUpload> {
  const known = state.running?.uploads[kind]
  const isSame =
    known?.sizeBytes === sizeBytes &&
    known.contentType === contentType &&
    known.extension === extension
  if (known && isSame) return known
  if (known) await abortOutputs(bucket, { [kind]: known })
  const key = outputKey(state.videoId, fence, `${kind}.${extension}`)
  const uploadId = await beginUpload(bucket, key, contentType)
  return { key, uploadId, sizeBytes, contentType, extension }
}

type NeededOutput = { readonly kind: OutputKind; readonly name?: string }

/** The files without which an attempt has failed: the video, or every output that the request names. */
export function neededOutputs(
  request: Pick<CreateVideo, 'analyzeOnly' | 'outputs' | 'clips'>,
  { named = [] }: { named?: readonly NamedOutput[] | undefined },
): NeededOutput[] {
  if (request.analyzeOnly) return []
  const { outputs, clips } = request
  if ((outputs ?? clips) === undefined) return [{ kind: 'final' }]
  // Only the report tells how many clips were suggested.
  const names = new Set([...(outputs ?? []), ...named].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const made = named.find((one) => one.name === name)
    const kinds = [made?.kind ?? namedKind(name), ...(made?.files ?? [])]
    return kinds.map((kind) => ({ name, kind }))
  })
}

type Finished =
  | { outcome: 'finished'; outputs: VideoResult['outputs'] }
  | { outcome: 'failed'; failure: AttemptFailure }

/**
 * Completes the outputs that the worker says it has written. The attempt has failed if one is missing that `needed` names,
 * such as the video itself. Throws if the bucket does not answer: the worker then reports again, and outputs that were completed
 * are found.
 */
export async function finishOutputs(
  bucket: R2Bucket,
  uploads: ResultUploads,
  written: readonly UploadedOutput[],
  needed: readonly NeededOutput[],
): Promise<Finished> {
  const outputs: VideoResult['outputs'] = {}
  for (const output of written) {
    const stored = await finishOutput(bucket, uploads[output.kind], output)
    if (stored) outputs[output.kind] = stored
    else log('error', 'an output could not be completed', { kind: output.kind })
  }
  // A video without its still is better than none.
  const missing = needed.find(({ kind }) => !outputs[kind])
  if (!missing) return { outcome: 'finished', outputs }
  const { name } = missing
  const message =
    name === undefined ? 'The result could not be stored.' : `outputs: ${name} could not be stored.`
  return { outcome: 'failed', failure: { reason: 'storage_failed', message, retryable: true } }
}

/** Stores the pictures of the checks for which a job fails; what cannot be stored is not shown. */
export async function storedProof(
  bucket: R2Bucket,
  uploads: ResultUploads,
  { checks, outputs = [] }: Pick<Extract<Report, { type: 'failed' }>, 'checks' | 'outputs'>,
): Promise<StoredProof | undefined> {
  if (!checks) return undefined
  try {
    const finished = await finishOutputs(bucket, uploads, outputs, [])
    return { checks, outputs: finished.outcome === 'finished' ? finished.outputs : {} }
  } catch (error) {
    log('error', 'the pictures of checks could not be stored', describeError(error))
    return { checks, outputs: {} }
  }
}

/** Undefined if the output is lost for good. */
async function finishOutput(
  bucket: R2Bucket,
  upload: GrantedUpload | undefined,
  { sizeBytes, parts }: UploadedOutput,
): Promise<StoredOutput | undefined> {
  if (upload?.sizeBytes !== sizeBytes) return undefined
  const completed = await persistently(async () => completeUpload(bucket, upload, parts))
  if (completed === 'lost') return undefined
  const { key, contentType, extension } = upload
  return { key, sizeBytes, contentType, extension, etag: completed.etag }
}

const pausesMs = [100, 500]

/** Most faults of the bucket pass in a moment, and a finished render is worth a second and a third try. */
async function persistently<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const pauseMs of pausesMs) {
    try {
      return await work()
    } catch (error) {
      log('warn', 'the bucket is asked again', describeError(error))
      await scheduler.wait(pauseMs)
    }
  }
  return work()
}

/** Aborts uploads that are not wanted, so that a late writer finds nothing to write to. */
export async function abortOutputs(bucket: R2Bucket, uploads: ResultUploads): Promise<void> {
  for (const upload of Object.values(uploads)) {
    if (!upload) continue
    try {
      await abortUpload(bucket, upload)
    } catch (error) {
      // R2 drops unfinished uploads by itself after 7 days.
      log('warn', 'an upload could not be aborted', describeError(error))
    }
  }
}

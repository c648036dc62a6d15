import type { OutputGrant, OutputRequest } from '../contract/media-job.ts'
import type { UploadedOutput } from '../contract/report.ts'
import type { AttemptFailure } from '../service/decide-attempt.ts'
import { describeError, log } from '../service/log.ts'
import type { Settings } from '../settings.ts'
import { AddressSigner } from '../store/address-signer.ts'
import {
  abortUpload,
  beginUpload,
  completeUpload,
  outputKey,
  outputPartBytes,
} from '../store/objects.ts'
import type { StoredOutput, VideoResult } from '../store/tables.ts'
import type { GrantedUpload, Running, RunState } from './run-state.ts'

type Uploads = Running['uploads']

/** Begins the multipart upload of one output and signs an address for each of its parts. */
export async function grantOutput(
  bucket: R2Bucket,
  settings: Settings,
  state: RunState,
  request: OutputRequest,
): Promise<{ grant: OutputGrant; upload: GrantedUpload }> {
  const upload = await uploadFor(bucket, state, request)
  const signer = new AddressSigner(settings)
  const count = Math.ceil(request.sizeBytes / outputPartBytes)
  const parts = await Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      partNumber: i + 1,
      url: await signer.writePart(upload, i + 1),
    })),
  )
  return { grant: { partSizeBytes: outputPartBytes, parts }, upload }
}

/** Asked again the same, as after a lost answer, it is the same upload: a captured request cannot end a good one. */
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

type Finished =
  | { outcome: 'finished'; outputs: VideoResult['outputs'] }
  | { outcome: 'failed'; failure: AttemptFailure }

/** Completes the outputs the worker says it has written. Without the video itself the attempt has failed. */
export async function finishOutputs(
  bucket: R2Bucket,
  uploads: Uploads,
  written: readonly UploadedOutput[],
): Promise<Finished> {
  const outputs: VideoResult['outputs'] = {}
  for (const output of written) {
    try {
      outputs[output.kind] = await finishOutput(bucket, uploads[output.kind], output)
    } catch (error) {
      log('error', 'an output could not be completed', {
        kind: output.kind,
        ...describeError(error),
      })
    }
  }
  // Whatever else was asked for, a video without a still is better than none.
  if (outputs.final) return { outcome: 'finished', outputs }
  const message = 'The result could not be stored.'
  return { outcome: 'failed', failure: { reason: 'storage_failed', message, retryable: true } }
}

async function finishOutput(
  bucket: R2Bucket,
  upload: GrantedUpload | undefined,
  { kind, parts, sizeBytes }: UploadedOutput,
): Promise<StoredOutput> {
  if (!upload || upload.sizeBytes !== sizeBytes) throw new Error(`no upload granted for ${kind}`)
  const { etag } = await completeUpload(bucket, upload, parts)
  const { key, contentType, extension } = upload
  return { key, sizeBytes, contentType, extension, etag }
}

/** What was begun and is not wanted: a late writer then finds nothing to write to. */
export async function abortOutputs(bucket: R2Bucket, uploads: Uploads): Promise<void> {
  for (const upload of Object.values(uploads)) {
    try {
      await abortUpload(bucket, upload)
    } catch (error) {
      // R2 drops unfinished uploads by itself after 7 days.
      log('warn', 'an upload could not be aborted', describeError(error))
    }
  }
}

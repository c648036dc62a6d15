import { AppError } from '../contract/answers/errors.ts'
import { claimKey, type KeyClaim } from '../service/claim-key.ts'
import { DiskHold } from '../service/limits/disk-room.ts'
import { refuseOverBudget } from '../service/limits/budget.ts'
import { refuseWithoutRoom } from '../service/limits/database-fill.ts'
import type { FilledRequest } from '../service/videos/apply-preset.ts'
import { fingerprint } from '../service/idempotency.ts'
import { repeatAnswer, submitVideo, type Submission } from '../service/videos/submit-video.ts'
import type { Env } from '../settings.ts'
import type { IdempotencyRow, IdempotencyScope } from '../store/idempotency.ts'
import type { ByteSource } from './byte-window.ts'
import { BucketSink, forgetfulSink } from './file-sinks.ts'
import { receiveForm, type FormRequest, type ReceivedForm } from './receive-form.ts'

export type FormUpload = FormRequest & {
  accountId: string
  scope: IdempotencyScope | undefined
  /** The length that the request declares; 0 if it declares none. */
  declaredBytes: number
}

/** Reads the form of an upload, stores its file, and creates a video from it. A failure leaves nothing behind. */
export async function takeUpload(env: Env, upload: FormUpload): Promise<Submission> {
  if (!upload.scope) return storeUpload(env, upload)
  const use = await claimKey(env, upload.scope, Date.now())
  if ('known' in use) return repeatUpload(upload, use.known)
  try {
    return await storeUpload(env, upload, use.claim)
  } catch (error) {
    await use.claim.release()
    throw error
  }
}

async function storeUpload(env: Env, upload: FormUpload, claim?: KeyClaim): Promise<Submission> {
  // Checked before the file is stored, which would be in vain for a refused video.
  await refuseWithoutRoom(env, Date.now())
  await refuseOverBudget(env, upload.accountId, Date.now())
  const hold = new DiskHold(env)
  await hold.take(upload.declaredBytes)
  try {
    return await storeHeld(env, upload, { hold, claim })
  } finally {
    hold.release()
  }
}

async function storeHeld(
  env: Env,
  upload: FormUpload,
  { hold, claim }: { hold: DiskHold; claim: KeyClaim | undefined },
): Promise<Submission> {
  const sink = new BucketSink(env, upload, hold)
  const arriving = claim ? { ...upload, source: keptBy(claim, upload.source) } : upload
  const { received, source } = await receive(arriving, sink)
  try {
    const submission = await submitVideo(env, {
      accountId: upload.accountId,
      request: received.options,
      received: source,
      scope: upload.scope,
      claimed: claim && { token: claim.token, fingerprint: await fingerprintOf(received) },
      now: Date.now(),
    })
    if (submission.replayed) await sink.drop()
    return submission
  } catch (error) {
    // After any other failure a video with this source may exist, so the sweep decides.
    if (error instanceof AppError && error.code === 'Conflict') await sink.drop()
    throw error
  }
}

/** Prolongs the claim whenever bytes are read, however slowly they come: no read takes as long as a claim lasts. */
function keptBy(claim: KeyClaim, source: ByteSource): ByteSource {
  return {
    async readAtLeast(minBytes, view) {
      await claim.keep(Date.now())
      return source.readAtLeast(minBytes, view)
    },
  }
}

async function receive(upload: FormUpload, sink: BucketSink) {
  try {
    const received = await receiveForm(upload, sink)
    return { received, source: { ...(await sink.finish()), sha256: received.sha256 } }
  } catch (error) {
    await sink.drop()
    throw error
  }
}

/** The key was used before: the same form gets the same answer, and its file is not stored. */
async function repeatUpload(upload: FormUpload, known: IdempotencyRow): Promise<Submission> {
  const rules = { ...upload.rules, fill: asItWasSent, judge: noFaults }
  const received = await receiveForm({ ...upload, rules }, forgetfulSink)
  const submission = repeatAnswer(known, await fingerprintOf(received), Date.now())
  if (!submission) throw new AppError('InternalError')
  return submission
}

/** For a form that was answered before: its preset and storages may have gone since, and no longer matter. */
async function asItWasSent(body: unknown): Promise<FilledRequest> {
  return { body, faults: [] }
}

async function noFaults(): Promise<[]> {
  return []
}

async function fingerprintOf(received: ReceivedForm): Promise<string> {
  const { options, sent = options, fileName, sha256 } = received
  return fingerprint({ options: sent, fileName, sha256 })
}

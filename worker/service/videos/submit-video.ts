import type { CreateVideo } from '../../contract/options/create-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { mintId } from '../../contract/ids.ts'
import { asksForTranscript } from '../../contract/options/options.ts'
import { videoAccepted, type VideoAccepted } from '../../contract/video/video-record.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findKeyUse, type IdempotencyRow, type IdempotencyScope } from '../../store/idempotency.ts'
import { firstSweepMs } from '../../store/sweep-times.ts'
import type { UploadStatus, VideoSource } from '../../store/tables/tables.ts'
import { insertVideo } from '../../store/videos/videos.ts'
import { noteDatabaseBytes, refuseWithoutRoom } from '../limits/database-fill.ts'
import { acceptedUse, fingerprint, repeatedBody, type KeyUse } from '../idempotency.ts'
import { jobIdFor } from '../jobs/job-id.ts'
import { describeError, log } from '../log.ts'
import { nameVideo } from './name-video.ts'
import { sourceGone, sourceOfVideo } from './source-of-video.ts'
import { keepNamedUploads } from '../uploads/named-uploads.ts'
import { readySource } from '../uploads/ready-source.ts'
import { refuseOverBudget } from '../limits/budget.ts'
import { refuseOverQuota } from '../limits/quota.ts'

/** More collisions of random ids than this cannot be chance. */
const idTries = 5

/** `body` is the exact answer that the client gets, now and on every replay. */
export type Submission = { videoId: string; body: string; replayed: boolean }

type Submit = {
  accountId: string
  request: CreateVideo
  /**
   * The request as the client sent it, if a preset has filled it in. An Idempotency-Key stands for this request, even if the
   * preset changes later.
   */
  sent?: unknown
  /** A source in the bucket, and the status its upload must have until the video takes it. */
  stored?: { source: VideoSource; from: UploadStatus } | undefined
  /** The video whose stored source this one shares. */
  shared?: { source: VideoSource; sharedWith: string } | undefined
  scope: IdempotencyScope | undefined
  /**
   * Present if the key was claimed before the request was known: the token of the claim, and the fingerprint of the
   * request.
   */
  claimed?: { token: string; fingerprint: string } | undefined
  now: number
}

/**
 * Stores the video with its job and puts the job on the queue. A video that is stored will reach an end: if the queue
 * refuses the message, the sweep sends it.
 */
export async function submitVideo(env: Env, submit: Submit): Promise<Submission> {
  const key = await keyUseOf(submit)
  const { uploadId, sourceVideoId } = submit.request
  try {
    // The file of a form has arrived by now, and its room was reserved before.
    if (!submit.stored) {
      await refuseWithoutRoom(env, submit.now)
      await refuseOverQuota(env, submit.accountId)
      await refuseOverBudget(env, submit.accountId, submit.now)
    }
    if (sourceVideoId !== undefined) return await submitAgain(env, submit, sourceVideoId, key)
    if (uploadId === undefined) return await storeAndEnqueue(env, submit, key)
    const stored = await readySource(env, submit.accountId, uploadId, submit.now)
    return await storeAndEnqueue(env, { ...submit, stored }, key)
  } catch (error) {
    // A repeated request needs no room. Its upload counts as used, but perhaps because of this very request.
    const replayed = key && (await replay(env, key, submit.now))
    if (replayed) return replayed
    throw error
  }
}

async function keyUseOf({
  scope,
  claimed,
  request,
  sent = request,
}: Submit): Promise<KeyUse | undefined> {
  return scope && { ...scope, fingerprint: claimed?.fingerprint ?? (await fingerprint(sent)) }
}

/**
 * The answer that was given to this request before. Read before the preset, which may have changed or gone since. Anything
 * but a plain repetition is left to the statement that takes the key.
 */
export async function findAnswer(
  env: Env,
  scope: IdempotencyScope,
  sent: unknown,
  now: number,
): Promise<Submission | undefined> {
  const known = await findKeyUse(env.DB, scope)
  if (!known || known.expiresAt <= now || known.fingerprint !== (await fingerprint(sent))) {
    return undefined
  }
  return known.responseBody === null ? undefined : repeatAnswer(known, known.fingerprint, now)
}

/** Makes a video from the source of another one. Its addresses are fetched again, and become part of the new request. */
async function submitAgain(
  env: Env,
  submit: Submit,
  sourceVideoId: string,
  key: KeyUse | undefined,
): Promise<Submission> {
  const source = await sourceOfVideo(env, submit.accountId, sourceVideoId)
  if ('stored' in source) {
    return storeAndEnqueue(env, { ...submit, shared: source.stored }, key)
  }
  const request = { ...submit.request, ...source.addresses }
  return storeAndEnqueue(env, { ...submit, request }, key)
}

async function storeAndEnqueue(
  env: Env,
  submit: Submit,
  key: KeyUse | undefined,
): Promise<Submission> {
  await keepNamedUploads(env, submit.accountId, [submit.request], submit.now)
  for (let tried = 0; tried < idTries; tried++) {
    const videoId = mintId('v')
    const accepted: VideoAccepted = {
      videoId,
      jobId: await jobIdFor(readSettings(env), videoId),
      status: 'queued',
      message: 'The video is queued for processing.',
    }
    const inserted = await storeVideo(env, submit, accepted, key)
    const { outcome } = inserted
    if (inserted.outcome === 'inserted') {
      noteDatabaseBytes(inserted.databaseBytes, submit.now)
      await enqueue(env, accepted.jobId)
      return { videoId: accepted.videoId, body: JSON.stringify(accepted), replayed: false }
    }
    if (outcome === 'source-taken') {
      if (submit.shared) throw sourceGone({ id: submit.shared.sharedWith, sourceExpiresAt: null })
      throw new AppError('Conflict', 'The upload has just been used.')
    }
    if (outcome === 'key-taken' && key) {
      const replayed = await replay(env, key, submit.now)
      if (replayed) return replayed
    }
  }
  throw new AppError('InternalError', undefined, { cause: new Error('no free video id found') })
}

/** Looking for cuts needs the transcript; the analysis needs the finished video, which `analyzeOnly` does not make. */
export function insightsAsked(request: CreateVideo) {
  const statusOf = (isAsked: boolean) => (isAsked ? 'pending' : 'not_requested')
  return {
    transcriptStatus: statusOf(asksForTranscript(request)),
    analysisStatus: statusOf(request.enableAiAnalysis && !request.analyzeOnly),
  } as const
}

async function storeVideo(
  env: Env,
  submit: Submit,
  accepted: VideoAccepted,
  key: KeyUse | undefined,
) {
  const { accountId, request, claimed, now, stored, shared } = submit
  const source = (stored ?? shared)?.source
  const { videoId, jobId } = accepted
  return insertVideo(
    env.DB,
    {
      id: videoId,
      accountId,
      name: nameVideo(request, videoId, source?.fileName),
      status: 'queued',
      request,
      source,
      ...insightsAsked(request),
      createdAt: now,
      updatedAt: now,
    },
    { id: jobId, videoId, accountId, createdAt: now, sweepAfter: now + firstSweepMs },
    {
      keyUse: key && acceptedUse(key, JSON.stringify(accepted), now),
      claim: claimed?.token,
      upload: stored && { id: stored.source.uploadId, from: stored.from },
      sharedWith: shared?.sharedWith,
    },
  )
}

/** The first answer to this key; undefined if it is gone by now, so that the request may be tried again. */
async function replay(env: Env, key: KeyUse, now: number): Promise<Submission | undefined> {
  const known = await findKeyUse(env.DB, key)
  return known && repeatAnswer(known, key.fingerprint, now)
}

/** The answer to a key that was used before; undefined if its first request died without an answer. */
export function repeatAnswer(
  known: IdempotencyRow,
  asked: string,
  now: number,
): Submission | undefined {
  const body = repeatedBody(known, asked, now)
  if (body === undefined) return undefined
  return { videoId: videoAccepted.parse(JSON.parse(body)).videoId, body, replayed: true }
}

async function enqueue(env: Env, jobId: string): Promise<void> {
  try {
    await env.JOBS.send({ kind: 'dispatch', jobId, chain: 0 })
  } catch (error) {
    log('warn', 'queue refused a job; the sweep will send it', { jobId, ...describeError(error) })
  }
}

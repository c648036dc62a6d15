import type { CreateVideo } from '../../contract/options/create-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { mintId } from '../../contract/ids.ts'
import { asksForTranscript } from '../../contract/options/options.ts'
import { videoAccepted, type VideoAccepted } from '../../contract/video/video-record.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findKeyUse, type IdempotencyRow, type IdempotencyScope } from '../../store/idempotency.ts'
import { firstSweepMs } from '../../store/sweep-times.ts'
import type { VideoSource } from '../../store/tables/tables.ts'
import { insertVideos, type NewVideo } from '../../store/videos/insert-videos.ts'
import { noteDatabaseBytes, refuseWithoutRoom } from '../limits/database-fill.ts'
import { acceptedUse, fingerprint, repeatedBody, type KeyUse } from '../idempotency.ts'
import { jobIdFor } from '../jobs/job-id.ts'
import { describeError, log } from '../log.ts'
import { nameVideo } from './name-video.ts'
import { findSource, sourceGone, type FoundSource } from './source-of-video.ts'
import { keepNamedUploads } from '../uploads/named-uploads.ts'
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
  /** The file of a form, which has arrived by now. */
  received?: VideoSource
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
  const { accountId, request, received, now } = submit
  try {
    // The room of a file that was received was reserved before it came.
    if (!received) {
      await refuseWithoutRoom(env, now)
      await refuseOverQuota(env, accountId)
      await refuseOverBudget(env, accountId, now)
    }
    const { addresses, ...held } = received
      ? { source: received, uploadId: received.uploadId, addresses: {} }
      : await findSource(env, accountId, request, now)
    // Addresses of an earlier video are fetched again, and become part of the new request.
    return await storeAndEnqueue(
      env,
      submit,
      { request: { ...request, ...addresses }, ...held },
      key,
    )
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
  const isSame = known !== undefined && known.fingerprint === (await fingerprint(sent))
  return isSame ? repeatAnswer(known, known.fingerprint, now) : undefined
}

async function storeAndEnqueue(
  env: Env,
  { accountId, claimed, received, now }: Submit,
  sourced: Sourced,
  key: KeyUse | undefined,
): Promise<Submission> {
  await keepNamedUploads(env, accountId, [sourced.request], now)
  for (let tried = 0; tried < idTries; tried++) {
    const video = await newVideo(env, sourced, now + firstSweepMs)
    const accepted: VideoAccepted = {
      videoId: video.id,
      jobId: video.jobId,
      status: 'queued',
      message: 'The video is queued for processing.',
    }
    const body = JSON.stringify(accepted)
    const inserted = await insertVideos(env.DB, [video], {
      ...{ accountId, createdAt: now, claim: claimed?.token },
      from: received ? 'receiving' : 'ready',
      keyUse: key && acceptedUse(key, body, now),
    })
    switch (inserted.outcome) {
      case 'inserted':
        noteDatabaseBytes(inserted.databaseBytes, now)
        await enqueue(env, video.jobId)
        return { videoId: video.id, body, replayed: false }
      case 'source-taken':
        if (sourced.sharedWith === undefined)
          throw new AppError('Conflict', 'The upload has just been used.')
        throw sourceGone({ id: sourced.sharedWith, sourceExpiresAt: null })
      case 'key-taken': {
        const replayed = key && (await replay(env, key, now))
        if (replayed) return replayed
        continue
      }
      case 'id-taken':
        continue
    }
  }
  throw new AppError('InternalError', undefined, { cause: new Error('no free video id found') })
}

/** A request whose source is known: a file in the bucket, or the addresses that the request names. */
export type Sourced = { request: CreateVideo } & Omit<FoundSource, 'addresses'>

/** The row of a new video, with ids that are most likely free. */
export async function newVideo(env: Env, sourced: Sourced, sweepAfter: number): Promise<NewVideo> {
  const { request, source } = sourced
  const id = mintId('v')
  const statusOf = (isAsked: boolean) => (isAsked ? 'pending' : 'not_requested')
  return {
    ...{ ...sourced, id, sweepAfter },
    jobId: await jobIdFor(readSettings(env), id),
    name: nameVideo(request, id, source?.fileName),
    // Looking for cuts needs the transcript; the analysis needs the finished video, which `analyzeOnly` does not make.
    transcriptStatus: statusOf(asksForTranscript(request)),
    analysisStatus: statusOf(request.enableAiAnalysis && !request.analyzeOnly),
  }
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

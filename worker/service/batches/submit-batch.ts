import type { BatchAccepted } from '../../contract/batches/batch.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { mintId } from '../../contract/ids.ts'
import type { Env } from '../../settings.ts'
import { findKeyUse } from '../../store/idempotency.ts'
import { firstSweepMs } from '../../store/sweep-times.ts'
import type { BatchRow } from '../../store/tables/tables.ts'
import { batchSweepMs } from '../../store/videos/batches.ts'
import { insertVideos, type NewVideo } from '../../store/videos/insert-videos.ts'
import { acceptedUse, repeatedBody, type KeyUse } from '../idempotency.ts'
import { noteDatabaseBytes, refuseWithoutRoom } from '../limits/database-fill.ts'
import { refuseOverBudget } from '../limits/budget.ts'
import { refuseOverQuota } from '../limits/quota.ts'
import { describeError, log } from '../log.ts'
import { keepNamedUploads } from '../uploads/named-uploads.ts'
import { newVideo, type Sourced } from '../videos/submit-video.ts'

/** `body` is the exact answer that the client gets, now and on every replay. */
export type BatchSubmission = { batchId: string; body: string; replayed: boolean }

type SubmittedBatch = {
  accountId: string
  preset: string | undefined
  webhookUrl: string | undefined
  items: readonly Sourced[]
  key: KeyUse | undefined
  now: number
}

/** More collisions of random ids than this cannot be chance. */
const idTries = 5
/** The most messages that one call of the queue takes. */
const messagesAtOnce = 100
/** The jobs of a batch go to the queue a hundred at a time, this far apart, so that other jobs get in between. */
const secondsApart = 2

/**
 * Stores the batch with all its videos in one change, and puts their jobs on the queue. Whatever dies after that change,
 * every video exists once and will reach an end: the sweep sends the messages that the queue did not get.
 */
export async function submitBatch(env: Env, submit: SubmittedBatch): Promise<BatchSubmission> {
  const { now, key } = submit
  await refuseWithoutRoom(env, now)
  await refuseOverQuota(env, submit.accountId)
  await refuseOverBudget(env, submit.accountId, now)
  const requests = submit.items.map(({ request }) => request)
  await keepNamedUploads(env, submit.accountId, requests, now)
  for (let tried = 0; tried < idTries; tried++) {
    const { batch, videos } = await makeRows(env, submit)
    const accepted: BatchAccepted = {
      batchId: batch.id,
      videoIds: batch.videoIds,
      message: `${videos.length === 1 ? '1 video is' : `${videos.length} videos are`} queued for processing.`,
    }
    const body = JSON.stringify(accepted)
    const inserted = await insertVideos(env.DB, videos, {
      ...{ accountId: submit.accountId, createdAt: now, batch },
      keyUse: key && acceptedUse(key, body, now),
    })
    switch (inserted.outcome) {
      case 'inserted':
        noteDatabaseBytes(inserted.databaseBytes, now)
        await enqueueAll(env, videos)
        return { batchId: batch.id, body, replayed: false }
      case 'source-taken':
        throw new AppError(
          'Conflict',
          'Another request has just used an upload of this batch, or a source is no longer kept; nothing was created.',
        )
      case 'key-taken': {
        const replayed = key && (await repeatBatch(env, key, now))
        if (replayed) return replayed
        continue
      }
      case 'id-taken':
        continue
    }
  }
  throw new AppError('InternalError', undefined, { cause: new Error('no free ids found') })
}

/** The answer that was given to this request before; undefined if it is new. */
export async function repeatBatch(
  env: Env,
  key: KeyUse,
  now: number,
): Promise<BatchSubmission | undefined> {
  const known = await findKeyUse(env.DB, key)
  const body = known && repeatedBody(known, key.fingerprint, now)
  if (body === undefined) return undefined
  const { batchId } = JSON.parse(body) as BatchAccepted
  return { batchId, body, replayed: true }
}

async function makeRows(
  env: Env,
  { accountId, preset, webhookUrl, items, now }: SubmittedBatch,
): Promise<{ batch: BatchRow; videos: NewVideo[] }> {
  const videos = await Promise.all(
    items.map(async (item, i) => newVideo(env, item, now + firstSweepMs + delayOf(i) * 1000)),
  )
  const batch = {
    id: mintId('b'),
    ...{ accountId, preset: preset ?? null, webhookUrl: webhookUrl ?? null },
    videoIds: videos.map(({ id }) => id),
    createdAt: now,
    canceledAt: null,
    endedAt: null,
    counts: null,
    endedEventId: null,
    sweepAfter: now + batchSweepMs,
    expiresAt: null,
  }
  return { batch, videos }
}

function delayOf(i: number): number {
  return Math.floor(i / messagesAtOnce) * secondsApart
}

async function enqueueAll(env: Env, videos: readonly NewVideo[]): Promise<void> {
  for (let first = 0; first < videos.length; first += messagesAtOnce) {
    const some = videos.slice(first, first + messagesAtOnce)
    const messages = some.map(({ jobId }) => ({ body: { kind: 'dispatch', jobId, chain: 0 } }))
    try {
      await env.JOBS.sendBatch(messages, { delaySeconds: delayOf(first) })
    } catch (error) {
      const fields = { count: some.length, ...describeError(error) }
      log('warn', 'queue refused jobs of a batch; the sweep will send them', fields)
    }
  }
}

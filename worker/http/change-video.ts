import type { Context } from 'hono'
import { changeVideo as changeBody } from '../contract/create-video.ts'
import { AppError, invalidRequest } from '../contract/errors.ts'
import { parseInput } from '../contract/parse-input.ts'
import { isTerminal } from '../contract/video-state.ts'
import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { findJobIdOf } from '../store/jobs.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects.ts'
import { settleTombstones } from '../store/retention.ts'
import {
  changeVideo as storeChange,
  deleteVideo as removeVideo,
  findVideo,
} from '../store/videos.ts'
import type { AppEnv } from './app-env.ts'
import { readJson } from './read-body.ts'
import { requireVideo, sendVideo, videoNotFound } from './read-video.ts'

/** PATCH /v1/videos/{videoId} */
export async function changeVideo(c: Context<AppEnv>): Promise<Response> {
  const body = await readJson(c.req.raw)
  const parsed = parseInput(changeBody, body)
  if (!parsed.ok) throw invalidRequest(parsed.faults)
  const { id, accountId } = await requireVideo(c)
  const changed = await storeChange(c.env.DB, accountId, id, { ...parsed.value, at: Date.now() })
  if (!changed) throw videoNotFound()
  return sendVideo(c, changed)
}

/** Errors lose their class on the way out of a Durable Object. The only thing that can fail in this one is storage. */
async function cancelJob(env: Env, jobId: string): Promise<void> {
  try {
    await jobRunner(env, jobId).cancel(jobId)
  } catch (error) {
    throw new AppError('StorageError', undefined, { cause: error })
  }
}

/** POST /v1/videos/{videoId}/cancel */
export async function cancelVideo(c: Context<AppEnv>): Promise<Response> {
  const video = await requireVideo(c)
  if (!isTerminal(video.status)) {
    const jobId = await findJobIdOf(c.env.DB, video.id)
    if (jobId !== undefined) await cancelJob(c.env, jobId)
  }
  const after = await findVideo(c.env.DB, video.accountId, video.id)
  if (!after) throw videoNotFound()
  if (after.status !== 'canceled') {
    throw new AppError('Conflict', `The video has already ${after.status}; it cannot be canceled.`)
  }
  return sendVideo(c, after)
}

/** DELETE /v1/videos/{videoId} */
export async function deleteVideo(c: Context<AppEnv>): Promise<Response> {
  const video = await requireVideo(c)
  const prefixes = [
    videoPrefix(video.id),
    ...(video.source ? [uploadPrefix(video.source.uploadId)] : []),
  ]
  const now = Date.now()
  const { accountId, id: videoId } = video
  const deleted = await removeVideo(c.env.DB, { accountId, videoId, prefixes }, now)
  if (!deleted) {
    if (!(await findVideo(c.env.DB, video.accountId, video.id))) throw videoNotFound()
    const message = `The video is ${video.status}; cancel it before deleting it.`
    throw new AppError('Conflict', message)
  }
  try {
    for (const prefix of prefixes) {
      await deleteObjects(c.env.BUCKET, prefix)
      await settleTombstones(c.env.DB, [prefix], now)
    }
  } catch (error) {
    // The links died with the row. The tombstone is due, so the sweep removes the objects.
    log('error', 'objects of a deleted video remain', { videoId, ...describeError(error) })
  }
  return c.body(null, 204)
}

import type { Context } from 'hono'
import { cancelVideo as cancel } from '../../command/cancel-video.ts'
import { changeVideo as change } from '../../command/change-video.ts'
import { deleteVideo as remove } from '../../command/delete-video.ts'
import { changeVideo as changeBody } from '../../contract/options/create-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { tellChange, withProgress } from '../../durable/job/ask-progress.ts'
import { videoNotFound } from '../../service/videos/find-video.ts'
import { findArchived } from '../../store/videos/archive.ts'
import { findVideo } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'
import { readInput } from '../read-body.ts'
import { requireVideo, sendVideo } from './get-video.ts'

/** PATCH /v1/videos/{videoId} */
export async function changeVideo(c: Context<AppEnv>): Promise<Response> {
  const asked = await readInput(c.req.raw, changeBody)
  const video = await requireVideo(c)
  const { id, accountId } = video
  const readAgain = async () => findVideo(c.env.DB, accountId, id)
  // Names are written to files before the row changes, and an archived video has no files any more.
  if (asked.speakerNames !== undefined && !(await readAgain())) throw await whyUnchanged(c, id)
  const changed = await change(c.env, video, asked)
  if (!changed) throw await whyUnchanged(c, id)
  if (!isTerminal(changed.status)) await tellChange(c.env, changed.jobId)
  return sendVideo(c, await withProgress(c.env, changed, readAgain))
}

/** Why no row was changed: the video is in the archive, or another request has deleted it. */
async function whyUnchanged(c: Context<AppEnv>, videoId: string): Promise<AppError> {
  const archived = await findArchived(c.env.BUCKET, c.get('caller').accountId, videoId)
  if (!archived) return videoNotFound()
  const message = 'The video is archived: it can be read and deleted, and no longer be changed.'
  return new AppError('Conflict', message)
}

/** POST /v1/videos/{videoId}/cancel */
export async function cancelVideo(c: Context<AppEnv>): Promise<Response> {
  return sendVideo(c, await cancel(c.env, await requireVideo(c)))
}

/** DELETE /v1/videos/{videoId} */
export async function deleteVideo(c: Context<AppEnv>): Promise<Response> {
  await remove(c.env, await requireVideo(c), Date.now())
  return c.body(null, 204)
}

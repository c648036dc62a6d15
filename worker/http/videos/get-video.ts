import type { Context } from 'hono'
import { videoId as videoIdSchema } from '../../contract/ids.ts'
import { withProgress } from '../../durable/job/ask-progress.ts'
import { placeInLine } from '../../durable/job/queue-place.ts'
import { describeVideo } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { videoNotFound } from '../../service/videos/find-video.ts'
import { readSettings } from '../../settings.ts'
import { findArchived } from '../../store/videos/archive.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideo } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'
import { noteStatus } from './prefetch-video.ts'

/** The video in the path if it is the caller's, archived or not; another account's video is not found. */
export async function requireVideo(c: Context<AppEnv>): Promise<ShownVideo> {
  const videoId = videoIdSchema.safeParse(c.req.param('videoId'))
  if (!videoId.success) throw videoNotFound()
  const { accountId } = c.get('caller')
  const row = await (c.get('prefetchedVideo') ?? findVideo(c.env.DB, accountId, videoId.data))
  // The archive is asked after the database has answered, so that a video on its way there is found.
  const video = row ?? (await findArchived(c.env.BUCKET, accountId, videoId.data))?.video
  if (!video || video.accountId !== accountId) throw videoNotFound()
  return video
}

export async function sendVideo(c: Context<AppEnv>, video: ShownVideo): Promise<Response> {
  const now = Date.now()
  const links = makeLinks(readSettings(c.env), now)
  const place = await placeInLine(c.env, video)
  return c.json(await describeVideo(video, links, { now, place }))
}

/** The video as it stands now. If its id told which job it has, row and progress were asked for at the same time. */
async function currentVideo(c: Context<AppEnv>): Promise<ShownVideo> {
  const row = await requireVideo(c)
  noteStatus(row.id, row.status)
  const early = c.get('prefetchedProgress')
  const readAgain = async () => findVideo(c.env.DB, row.accountId, row.id)
  const asked = early?.jobId === row.jobId ? early.asked : undefined
  return withProgress(c.env, row, readAgain, asked)
}

/** GET /v1/videos/{videoId} */
export async function getVideo(c: Context<AppEnv>): Promise<Response> {
  return sendVideo(c, await currentVideo(c))
}

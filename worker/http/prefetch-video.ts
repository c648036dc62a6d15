import { createMiddleware } from 'hono/factory'
import { videoId as videoIdSchema } from '../contract/ids.ts'
import { findVideo } from '../store/videos.ts'
import type { AppEnv } from './app-env.ts'
import { recentAccount } from './presented-key.ts'

/** The row of a status read is fetched beside the gate's answer, and shown only if the gate agrees. */
export const prefetchVideo = createMiddleware<AppEnv>(async (c, next) => {
  const videoId = videoIdSchema.safeParse(c.req.param('videoId'))
  const accountId = videoId.success ? await recentAccount(c) : undefined
  if (videoId.success && accountId !== undefined) {
    const row = findVideo(c.env.DB, accountId, videoId.data)
    // The handler that awaits it sees the failure; a refused request never does.
    row.catch(() => undefined)
    c.set('prefetchedVideo', row)
  }
  await next()
})

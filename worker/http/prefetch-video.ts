import { createMiddleware } from 'hono/factory'
import { videoId as videoIdSchema } from '../contract/ids.ts'
import { findVideo } from '../store/videos.ts'
import type { AppEnv } from './app-env.ts'
import { recentAccount } from './presented-key.ts'

/** Reads the row of a video while the gate is asked. It is shown only if the gate admits the request. */
export const prefetchVideo = createMiddleware<AppEnv>(async (c, next) => {
  const videoId = videoIdSchema.safeParse(c.req.param('videoId'))
  const accountId = videoId.success ? await recentAccount(c) : undefined
  if (videoId.success && accountId !== undefined) {
    const row = findVideo(c.env.DB, accountId, videoId.data)
    // A handler that awaits the row sees the failure; a request that is refused never awaits it.
    row.catch(() => undefined)
    c.set('prefetchedVideo', row)
  }
  await next()
})

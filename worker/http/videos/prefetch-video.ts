import { createMiddleware } from 'hono/factory'
import { videoId as videoIdSchema } from '../../contract/ids.ts'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import { askForProgress } from '../../durable/job/ask-progress.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { jobIdFor } from '../../service/jobs/job-id.ts'
import { readSettings, type Env } from '../../settings.ts'
import { findVideo } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'
import { recentAccount } from '../guard/presented-key.ts'

/**
 * Videos that did not run when this isolate last saw them: the objects of their jobs have nothing to tell, and are not
 * woken. If one has begun meanwhile, its first read asks its object after the row.
 */
const resting = isolateMemory(() => new Set<string>())
const mostResting = 10_000

export function noteStatus(videoId: string, status: VideoStatus): void {
  const { current } = resting
  if (status === 'running') current.delete(videoId)
  else {
    if (current.size >= mostResting) current.clear()
    current.add(videoId)
  }
}

/**
 * Reads the row of a video, and asks its job how far it is, while the gate is asked. Both are shown only if the gate
 * admits the request.
 */
export const prefetchVideo = createMiddleware<AppEnv>(async (c, next) => {
  const videoId = videoIdSchema.safeParse(c.req.param('videoId'))
  const accountId = videoId.success ? await recentAccount(c) : undefined
  if (videoId.success && accountId !== undefined) {
    const row = findVideo(c.env.DB, accountId, videoId.data)
    // A handler that awaits the row sees the failure; a request that is refused never awaits it.
    row.catch(() => undefined)
    c.set('prefetchedVideo', row)
    if (!resting.current.has(videoId.data)) {
      c.set('prefetchedProgress', await begin(c.env, videoId.data))
    }
  }
  await next()
})

/** A job that was made with another secret has another id than this one; then its row names it. */
async function begin(env: Env, videoId: string) {
  const jobId = await jobIdFor(readSettings(env), videoId)
  return { jobId, asked: askForProgress(env, jobId) }
}

import type { Context } from 'hono'
import type { Submission } from '../../service/videos/submit-video.ts'
import type { AppEnv } from '../app-env.ts'

/** The 202 of every way to create a video. */
export function answerAccepted(c: Context<AppEnv>, submission: Submission): Response {
  c.header('Location', `/v1/videos/${submission.videoId}`)
  if (submission.replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(submission.body, 202, { 'Content-Type': 'application/json' })
}

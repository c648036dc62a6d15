import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { endEventId, formatVideoEvent } from '../../contract/video/video-event.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { jobRunner } from '../../durable/job/job-runner.ts'
import { mayFollow, mostStreams } from '../../durable/open-streams.ts'
import { describeVideo } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { readSettings, type Env } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'
import { requireVideo } from './get-video.ts'

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies must neither keep nor compress the stream: an event is useful only at once.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}

/** GET /v1/videos/{videoId}/events */
export async function followVideo(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = c.get('caller')
  // Checked before anything is read, because a client that is refused may ask again and again.
  if (!mayFollow(accountId, Date.now())) throw tooManyStreams()
  const video = await requireVideo(c)
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
  if (!isTerminal(video.status)) return c.body(await follow(c.env, video), 200, headers)
  if (c.req.header('Last-Event-ID') === endEventId(video.id)) return c.body(null, 204)
  const links = makeLinks(readSettings(c.env), Date.now())
  return c.body(formatVideoEvent('end', await describeVideo(video, links)), 200, headers)
}

type FollowedVideo = { jobId: string; accountId: string }

async function follow(env: Env, { jobId, accountId }: FollowedVideo): Promise<ReadableStream> {
  const following = await jobRunner(env, jobId).follow(jobId, accountId)
  if (following === 'the account') throw tooManyStreams()
  if (following !== 'the video') return following
  throw new AppError('ServiceUnavailable', 'Too many clients are following this video already.', {
    retryAfterSeconds: 10,
  })
}

function tooManyStreams(): AppError {
  const message = `This account has ${mostStreams} streams of events open, which is as many as it may. Close some, or read the video every few seconds instead.`
  return new AppError('RateLimitExceeded', message, { retryAfterSeconds: 10 })
}

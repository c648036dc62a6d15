import type { Context } from 'hono'
import { parseCreateVideo } from '../contract/create-video.ts'
import { AppError, invalidRequest } from '../contract/errors.ts'
import { addressFaults } from '../contract/public-url.ts'
import { submitVideo } from '../service/submit-video.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { readIdempotencyScope } from './idempotency-key.ts'
import { readJson } from './read-body.ts'

/** POST /v1/videos */
export async function createVideo(c: Context<AppEnv>): Promise<Response> {
  const scope = readIdempotencyScope(c, 'POST /v1/videos')
  const body = await readJson(c.req.raw)
  const settings = readSettings(c.env)
  const parsed = parseCreateVideo(body)
  const faults = [
    ...(parsed.ok ? [] : parsed.faults),
    ...addressFaults(body, {
      allowed: settings.allowedHosts,
      ownOrigins: [new URL(settings.baseUrl).origin, new URL(settings.storageUrl).origin],
      fileOrigin: new URL(settings.storageUrl).origin,
    }),
  ]
  if (!parsed.ok || faults.length > 0) throw invalidRequest(faults)
  if (parsed.value.uploadId !== undefined) {
    throw new AppError('NotFound', 'Upload not found.')
  }
  const {
    videoId,
    body: answer,
    replayed,
  } = await submitVideo(c.env, {
    accountId: c.var.caller.accountId,
    request: parsed.value,
    scope,
    now: Date.now(),
  })
  c.header('Location', `/v1/videos/${videoId}`)
  if (replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(answer, 202, { 'Content-Type': 'application/json' })
}

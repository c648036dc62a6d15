import type { Context } from 'hono'
import { parseCreateVideo } from '../contract/create-video.ts'
import { invalidRequest } from '../contract/errors.ts'
import { addressFaults } from '../contract/address-faults.ts'
import { submitVideo } from '../service/submit-video.ts'
import { readSettings } from '../settings.ts'
import { addressPolicy } from '../service/address-policy.ts'
import { answerAccepted } from './answer-accepted.ts'
import type { AppEnv } from './app-env.ts'
import { readIdempotencyScope } from './idempotency-key.ts'
import { readJson } from './read-body.ts'

/** POST /v1/videos */
export async function createVideo(c: Context<AppEnv>): Promise<Response> {
  const scope = readIdempotencyScope(c, 'POST /v1/videos')
  const body = await readJson(c.req.raw, 'POST /v1/videos/upload')
  const parsed = parseCreateVideo(body)
  const faults = [
    ...(parsed.ok ? [] : parsed.faults),
    ...addressFaults(body, addressPolicy(readSettings(c.env))),
  ]
  if (!parsed.ok || faults.length > 0) throw invalidRequest(faults)
  const submission = await submitVideo(c.env, {
    accountId: c.get('caller').accountId,
    request: parsed.value,
    scope,
    now: Date.now(),
  })
  return answerAccepted(c, submission)
}

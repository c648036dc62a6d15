import type { Context } from 'hono'
import { parseCreateVideo, type CreateVideo } from '../../contract/options/create-video.ts'
import { sayPlan } from '../../contract/options/words/say-plan.ts'
import type { VideoPlan } from '../../contract/video/video-record.ts'
import { invalidRequest } from '../../contract/answers/errors.ts'
import { addressFaults } from '../../contract/addresses/address-faults.ts'
import { applyPreset, presetNamedIn, tellOrigins } from '../../service/videos/apply-preset.ts'
import { namedFaults } from '../../service/videos/judge-named.ts'
import { findAnswer, submitVideo, type Submission } from '../../service/videos/submit-video.ts'
import { readSettings, type Env } from '../../settings.ts'
import type { IdempotencyScope } from '../../store/idempotency.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import type { AppEnv } from '../app-env.ts'
import { readIdempotencyScope } from '../guard/idempotency-key.ts'
import { readJson } from '../read-body.ts'

/** POST /v1/videos */
export async function createVideo(c: Context<AppEnv>): Promise<Response> {
  const scope = readIdempotencyScope(c, 'POST /v1/videos')
  const body = await readJson(c.req.raw, 'POST /v1/videos/upload')
  const { accountId } = c.get('caller')
  return answerAccepted(c, await acceptVideo(c.env, { accountId, body, scope }))
}

/** POST /v1/videos/plan: judges a request as a create does; nothing is made or fetched. */
export async function planVideo(c: Context<AppEnv>): Promise<Response> {
  const body = await readJson(c.req.raw)
  const request = await judgeRequest(c.env, c.get('caller').accountId, body)
  return c.json({ steps: sayPlan(request), request } satisfies VideoPlan)
}

type VideoQuestion = { accountId: string; body: unknown; scope: IdempotencyScope | undefined }

/** Creates the video that a request asks for, or the one that it was answered with before. */
export async function acceptVideo(
  env: Env,
  { accountId, body, scope }: VideoQuestion,
): Promise<Submission> {
  const now = Date.now()
  const dependsOnMore = presetNamedIn(body) !== undefined || (scope && mayNameStored(body))
  const sent = dependsOnMore ? body : undefined
  const repeated = scope && sent ? await findAnswer(env, scope, sent, now) : undefined
  if (repeated) return repeated
  const request = await judgeRequest(env, accountId, body)
  return submitVideo(env, { accountId, request, sent, scope, now })
}

/** Whether the body names something stored, which may be gone when a request that was answered is repeated. */
function mayNameStored(body: unknown): boolean {
  return /"(storage:\/\/|upload:\/\/|destinations")/i.test(JSON.stringify(body))
}

/** The request with the fields of its preset and all defaults, or an error that lists every fault. */
export async function judgeRequest(
  env: Env,
  accountId: string,
  sent: unknown,
): Promise<CreateVideo> {
  const filled = await applyPreset(env, accountId, sent)
  const parsed = parseCreateVideo(filled.body)
  const faults = [
    ...filled.faults,
    ...(parsed.ok ? [] : parsed.faults),
    ...addressFaults(filled.body, addressPolicy(readSettings(env))),
    ...(parsed.ok ? await namedFaults(env, accountId, parsed.value) : []),
  ]
  if (parsed.ok && faults.length === 0) return parsed.value
  throw invalidRequest(tellOrigins(faults, filled))
}

/** The 202 of every way to create a video. */
export function answerAccepted(c: Context<AppEnv>, submission: Submission): Response {
  c.header('Location', `/v1/videos/${submission.videoId}`)
  if (submission.replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(submission.body, 202, { 'Content-Type': 'application/json' })
}

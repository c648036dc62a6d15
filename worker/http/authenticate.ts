import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hashApiKey, looksLikeApiKey, type Scope } from '../contract/api-key.ts'
import { AppError } from '../contract/errors.ts'
import { videoId as videoIdSchema } from '../contract/ids.ts'
import { keyGate, type Admission } from '../durable/key-gate.ts'
import { describeError, log } from '../service/log.ts'
import type { RateLane } from '../service/rate-lane.ts'
import { rateHeaders } from '../service/rate-limit.ts'
import type { Env } from '../settings.ts'
import { findVideo } from '../store/videos.ts'
import type { AppEnv } from './app-env.ts'
import { countGuess } from './shield-guesses.ts'

const realm = 'Bearer realm="spool"'

/** RFC 6750: the scheme in any case, then the token. Anything else is no credential. */
function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '')?.[1]
}

function unauthorized(message: string, challenge: string): AppError {
  return new AppError('Unauthorized', message, { headers: { 'WWW-Authenticate': challenge } })
}

function readToken(header: string | undefined): string {
  if (header === undefined) {
    throw unauthorized('Send your API key: Authorization: Bearer <API_KEY>', realm)
  }
  const token = bearerToken(header)
  if (token === undefined) {
    const challenge = `${realm}, error="invalid_request"`
    throw unauthorized('The Authorization header must be: Bearer <API_KEY>', challenge)
  }
  return token
}

const refusals = {
  unknown: 'The API key is not valid.',
  mistyped: 'The API key is not valid.',
  revoked: 'The API key has been revoked.',
  expired: 'The API key has expired.',
} as const

const laneNames: Record<RateLane, string> = {
  requests: 'requests',
  reads: 'reads',
  uploads: 'requests about uploads',
}

/** Counted against the address it came from, which is asked about only now: a good key has no bad neighbours. */
async function refuseKey(c: Context<AppEnv>, why: keyof typeof refusals): Promise<never> {
  await countGuess(c)
  throw unauthorized(refusals[why], `${realm}, error="invalid_token"`)
}

/** Keys this isolate saw accepted in the last minute, and whose they are. Never a reason to accept one. */
const recentlyAccepted = new Map<string, { accountId: string; until: number }>()
const recentMs = 60_000
const recentKeys = 5000

function remember(hash: string, accountId: string): void {
  if (recentlyAccepted.size >= recentKeys) recentlyAccepted.clear()
  recentlyAccepted.set(hash, { accountId, until: Date.now() + recentMs })
}

function recentAccount(hash: string): string | undefined {
  const recent = recentlyAccepted.get(hash)
  return recent && recent.until > Date.now() ? recent.accountId : undefined
}

/** A Durable Object that is being moved fails once and answers the next time. */
async function askGate(c: Context<AppEnv>, hash: string): Promise<Admission> {
  const { env, req } = c
  try {
    return await keyGate(env, hash).admit(req.method, req.path)
  } catch (error) {
    log('warn', 'key gate failed once', describeError(error))
  }
  try {
    return await keyGate(env, hash).admit(req.method, req.path)
  } catch (error) {
    throw new AppError('ServiceUnavailable', undefined, { retryAfterSeconds: 1, cause: error })
  }
}

/** The row of a status read is fetched beside the gate's answer, and shown only if the gate agrees. */
function prefetchVideo(env: Env, method: string, path: string, accountId: string | undefined) {
  const videoId = /^\/v1\/videos\/([^/]+)$/.exec(path)?.[1]
  if (method !== 'GET' || !accountId || !videoIdSchema.safeParse(videoId).success) return undefined
  const row = findVideo(env.DB, accountId, videoId ?? '')
  // Whoever awaits it sees the failure; a refused request never does.
  row.catch(() => undefined)
  return row
}

/** Bearer key → caller; counts the request in the key's windows and says so on every answer. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const key = readToken(c.req.header('Authorization'))
  // A typo is refused here, without asking anybody.
  if (!looksLikeApiKey(key)) return refuseKey(c, 'mistyped')
  const hash = await hashApiKey(key)
  const recent = recentAccount(hash)
  c.set('prefetchedVideo', prefetchVideo(c.env, c.req.method, c.req.path, recent))
  const admission = await askGate(c, hash)
  if ('caller' in admission) {
    const { lane, states } = admission
    for (const [name, value] of Object.entries(rateHeaders(lane, states, Date.now()))) {
      c.header(name, value)
    }
  }
  if (admission.outcome === 'limited') {
    const { lane, retryAfterSeconds } = admission
    const message = `Too many ${laneNames[lane]}; try again in ${retryAfterSeconds} s.`
    throw new AppError('RateLimitExceeded', message, { retryAfterSeconds })
  }
  if (admission.outcome !== 'admitted') {
    recentlyAccepted.delete(hash)
    return refuseKey(c, admission.outcome)
  }
  remember(hash, admission.caller.accountId)
  c.set('caller', admission.caller)
  await next()
})

/** Refuses a key that may not do this. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.includes(scope)) {
      throw new AppError('Forbidden', `This API key lacks the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
      })
    }
    await next()
  })
}

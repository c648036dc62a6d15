import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { looksLikeApiKey, type Scope } from '../contract/api-key.ts'
import { AppError } from '../contract/errors.ts'
import { keyGate, type Admission } from '../durable/key-gate.ts'
import { describeError, log } from '../service/log.ts'
import type { RateLane, RequestUse } from '../service/rate-lane.ts'
import { rateHeaders } from '../service/rate-limit.ts'
import type { Env } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import {
  forgetAccepted,
  hashOf,
  readKey,
  realm,
  rememberAccepted,
  unauthorized,
} from './presented-key.ts'
import { countGuess } from './shield-guesses.ts'

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

/**
 * Counts the refused key against the client's address. The address is checked only now, so that a valid key is never
 * refused because of its neighbours.
 */
async function refuseKey(c: Context<AppEnv>, why: keyof typeof refusals): Promise<never> {
  await countGuess(c)
  throw unauthorized(refusals[why], `${realm}, error="invalid_token"`)
}

/** Asks twice, because a Durable Object that is being moved fails once and answers the next time. */
async function askGate(env: Env, hash: string, use: RequestUse): Promise<Admission> {
  try {
    return await keyGate(env, hash).admit(use)
  } catch (error) {
    log('warn', 'key gate failed once', describeError(error))
  }
  try {
    return await keyGate(env, hash).admit(use)
  } catch (error) {
    throw new AppError('ServiceUnavailable', undefined, { retryAfterSeconds: 1, cause: error })
  }
}

/** Marks the requests that continue an upload that was begun. */
export const continueUpload = createMiddleware<AppEnv>(async (c, next) => {
  c.set('continuesUpload', true)
  await next()
})

function useOf(c: Context<AppEnv>): RequestUse {
  if (c.get('continuesUpload')) return 'upload'
  return c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write'
}

/**
 * Finds the caller by the Bearer key, counts the request in the key's windows, and adds the window headers to the
 * answer.
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const key = readKey(c)
  // A typo is refused here, without asking the gate.
  if (!looksLikeApiKey(key)) return refuseKey(c, 'mistyped')
  const hash = await hashOf(c, key)
  const admission = await askGate(c.env, hash, useOf(c))
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
    forgetAccepted(hash)
    return refuseKey(c, admission.outcome)
  }
  rememberAccepted(hash, admission.caller.accountId)
  c.set('caller', admission.caller)
  await next()
})

/** Refuses a key that does not have the scope. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!c.get('caller').scopes.includes(scope)) {
      throw new AppError('Forbidden', `This API key lacks the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
      })
    }
    await next()
  })
}

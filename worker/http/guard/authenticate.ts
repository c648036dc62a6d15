import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { looksLikeApiKey, type Scope } from '../../contract/people/api-key.ts'
import type { KeyCaller } from '../../contract/people/member.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { keyGate, type Admission } from '../../durable/key-gate.ts'
import type { AppEnv } from '../app-env.ts'
import { answerCounting, askGate, useOf } from './count-request.ts'
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

/**
 * Counts the refused key against the client's address. The address is checked only now, so that a valid key is never
 * refused because of its neighbours.
 */
async function refuseKey(c: Context<AppEnv>, why: keyof typeof refusals): Promise<never> {
  await countGuess(c)
  throw unauthorized(refusals[why], `${realm}, error="invalid_token"`)
}

/** Marks the requests that continue an upload that was begun. */
export const continueUpload = createMiddleware<AppEnv>(async (c, next) => {
  c.set('continuesUpload', true)
  await next()
})

/**
 * Finds the caller by the Bearer key, counts the request in the key's windows, and adds the window headers to the
 * answer.
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const key = readKey(c)
  // A typo is refused here, without asking the gate. A key that a prefetch has hashed is not a typo.
  if (!c.get('keyHash') && !looksLikeApiKey(key)) return refuseKey(c, 'mistyped')
  const hash = await hashOf(c, key)
  const { accountId } = await admit(c, hash)
  rememberAccepted(hash, accountId)
  await next()
})

/** Counts the request in the windows of the key with this hash; refuses it if the key or a window does not allow it. */
async function admit(c: Context<AppEnv>, hash: string): Promise<KeyCaller> {
  const admission: Admission = await askGate(
    () => keyGate(c.env, hash),
    async (gate) => gate.admit(useOf(c)),
  )
  if (!('caller' in admission)) {
    forgetAccepted(hash)
    return refuseKey(c, admission.outcome)
  }
  // Set before a refusal is thrown, so that the log names the account of a refused request.
  c.set('caller', admission.caller)
  answerCounting(c, admission)
  return admission.caller
}

/** Counts further requests for a request that asks for several things. */
export async function countFurther(c: Context<AppEnv>, times: number): Promise<void> {
  const hash = await hashOf(c, readKey(c))
  for (let counted = 0; counted < times; counted++) await admit(c, hash)
}

/** The message to a member whose role does not permit the action. */
export const ownersOnly = 'Only owners of the account may do that.'

/** Refuses a key that does not have the scope, or a member whose role does not have it. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = c.get('caller')
    if (!caller.scopes.includes(scope)) {
      if (!('keyId' in caller)) throw new AppError('Forbidden', ownersOnly)
      throw new AppError('Forbidden', `This API key lacks the scope ${scope}.`, {
        headers: { 'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
      })
    }
    await next()
  })
}

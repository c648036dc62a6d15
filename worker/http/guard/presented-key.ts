import type { Context } from 'hono'
import { hashApiKey, looksLikeApiKey } from '../../contract/people/api-key.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { readSettings } from '../../settings.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import type { AppEnv } from '../app-env.ts'

export const realm = 'Bearer realm="spool"'

/** RFC 6750: the scheme in any case, then the token. Anything else is not a credential. */
function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '')?.[1]
}

export function unauthorized(message: string, challenge: string): AppError {
  return new AppError('Unauthorized', message, { headers: { 'WWW-Authenticate': challenge } })
}

/** The message to a request without a key: how to send one, and where to get it. */
function sendYourKey(baseUrl: string): string {
  return `Send your API key: Authorization: Bearer <API_KEY>. The dashboard makes one: ${baseUrl}/app/keys`
}

/** The API key of a request; an error if there is none. */
export function readKey(c: Context<AppEnv>): string {
  const header = c.req.header('Authorization')
  if (header === undefined) {
    throw unauthorized(sendYourKey(readSettings(c.env).baseUrl), realm)
  }
  const token = bearerToken(header)
  if (token === undefined) {
    const challenge = `${realm}, error="invalid_request"`
    throw unauthorized('The Authorization header must be: Bearer <API_KEY>', challenge)
  }
  return token
}

/** Hashes the key once for each request. */
export async function hashOf(c: Context<AppEnv>, key: string): Promise<string> {
  const hash = c.get('keyHash') ?? (await hashApiKey(key))
  c.set('keyHash', hash)
  return hash
}

/**
 * Keys that this isolate saw accepted in the last minute, and their accounts. They are never a reason to accept a key.
 */
const recentlyAccepted = isolateMemory(
  () => new Map<string, { accountId: string; until: number }>(),
)
const recentMs = 60_000
const recentKeys = 5000

export function rememberAccepted(hash: string, accountId: string): void {
  const { current } = recentlyAccepted
  if (current.size >= recentKeys) current.clear()
  current.set(hash, { accountId, until: Date.now() + recentMs })
}

export function forgetAccepted(hash: string): void {
  recentlyAccepted.current.delete(hash)
}

/** The account that the request most likely comes from, if its key was accepted a moment ago. */
export async function recentAccount(c: Context<AppEnv>): Promise<string | undefined> {
  const key = bearerToken(c.req.header('Authorization'))
  if (key === undefined || !looksLikeApiKey(key)) return undefined
  const recent = recentlyAccepted.current.get(await hashOf(c, key))
  return recent && recent.until > Date.now() ? recent.accountId : undefined
}

import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { createMiddleware } from 'hono/factory'
import type { Caller } from '../contract/people/member.ts'
import { mintId } from '../contract/ids.ts'
import { describeError, log, logTogether, withLogFields } from '../service/log.ts'
import { noteRefusedStranger, sumUpRefusals } from '../service/limits/refused-strangers.ts'
import { countRequest } from '../service/limits/request-counts.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { clientAddress } from './guard/client-address.ts'
import { isFault } from './error-response.ts'

/**
 * Gives every request an id, and logs one line for every answer, but counts most refusals of strangers. The line has the
 * route instead of the path, because paths contain tokens.
 */
export const observe = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const requestId = mintId('req')
  c.set('requestId', requestId)
  await withLogFields({ requestId }, next)
  // Set in place, because c.header() would build the whole answer again for each header.
  c.res.headers.set('X-Request-Id', requestId)
  const { status } = c.res
  countRequest(status)
  const now = Date.now()
  const route = routePath(c, -1)
  const write = () => writeLine(c, { requestId, route, status, durationMs: now - startedAt })
  const isStranger = c.get('caller') === undefined
  if (isStranger && status >= 400 && !isFault(status)) {
    noteRefusedStranger({ route, status }, now, write)
    return
  }
  sumUpRefusals(now)
  write()
})

type HandledRequest = { requestId: string; route: string; status: number; durationMs: number }

function writeLine(
  c: Context<AppEnv>,
  { requestId, route, status, durationMs }: HandledRequest,
): void {
  const fault = c.get('fault')
  const caller = c.get('caller')
  const fields = {
    ...{ requestId, method: c.req.method, route, status, durationMs },
    ...clientOf(c),
    ...(caller ? namesOf(caller) : {}),
    ...(typeof fault === 'string' ? { fault } : fault === undefined ? {} : describeError(fault)),
  }
  if (isFault(status)) log('error', 'request', fields)
  else if (readSettings(c.env).clientAddress !== 'socket') log('info', 'request', fields)
  else logTogether('request', fields, c.executionCtx)
}

/** The edge has logs of its own with the addresses of clients; on a server of one's own this line is all there is. */
function clientOf(c: Context<AppEnv>) {
  if (readSettings(c.env).clientAddress === 'edge') return {}
  const client = clientAddress(c)
  return client === undefined ? {} : { client }
}

function namesOf(caller: Caller) {
  const { accountId } = caller
  return 'keyId' in caller
    ? { keyId: caller.keyId, accountId }
    : { personId: caller.personId, accountId }
}

const fixedHeaders = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/** A proxy that ends TLS talks to the Worker without it; then only the base URL says what the client uses. */
function isEncrypted(c: Context<AppEnv>): boolean {
  return [c.req.url, readSettings(c.env).baseUrl].some((url) => url.startsWith('https:'))
}

/** Headers of every answer whose handler did not set them. There is no CORS, because keys are for servers. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const answer = c.res.headers
  for (const [name, value] of fixedHeaders) {
    if (!answer.has(name)) answer.set(name, value)
  }
  if (isEncrypted(c)) answer.set('Strict-Transport-Security', 'max-age=31536000')
})

import { createMiddleware } from 'hono/factory'
import { AppError } from '../contract/answers/errors.ts'
import { isLoopbackName } from '../contract/addresses/public-url.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readSettings } from '../settings.ts'
import { bodyOf } from '../http/error-response.ts'

/**
 * Refuses pages of other origins. A page that points its own name to this machine (DNS rebinding) still sends its own
 * origin, so the Host header of the request is not used.
 */
export const guardAgentOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('Origin')
  if (origin !== undefined && !isTrusted(origin, readSettings(c.env).baseUrl)) {
    throw new AppError('Forbidden', 'Pages of other origins may not use this address.')
  }
  await next()
})

/** On a developer's own machine, pages at any port of it are trusted, such as those of an inspector of tools. */
function isTrusted(origin: string, baseUrl: string): boolean {
  const own = new URL(baseUrl)
  if (origin === own.origin) return true
  const sent = URL.parse(origin)
  return sent !== null && isLoopbackName(own.hostname) && isLoopbackName(sent.hostname)
}

const parseError = -32700
/** The first of the range that the protocol leaves to servers. */
const refused = -32000

/** Writes errors as clients of the protocol read them; status and headers stay as they are. */
export const answerInRpc = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { error } = c
  // People who open the address in a browser have already got a page.
  if (!error || c.res.headers.get('Content-Type')?.startsWith('text/html')) return
  const known = error instanceof AppError ? error : new AppError('InternalError')
  const code = known.code === 'ValidationError' ? parseError : refused
  const { message, ...data } = bodyOf(known, c.get('requestId'))
  const body = { jsonrpc: '2.0', id: null, error: { code, message, data } }
  c.res = new Response(JSON.stringify(body), { status: c.res.status, headers: c.res.headers })
})

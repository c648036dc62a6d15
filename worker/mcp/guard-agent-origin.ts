import { createMiddleware } from 'hono/factory'
import { AppError } from '../contract/answers/errors.ts'
import { canonicalHost, isLoopback } from '../contract/addresses/public-url.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readSettings } from '../settings.ts'

/**
 * Refuses pages of other origins. A page that has its own name point to this machine (DNS rebinding) still says its own
 * origin, so the address that the request was sent to is not asked.
 */
export const guardAgentOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('Origin')
  if (origin !== undefined && !isTrusted(origin, readSettings(c.env).baseUrl)) {
    throw new AppError('Forbidden', 'Pages of other origins may not use this address.')
  }
  await next()
})

/** On somebody's own machine, programs there may show pages at any port, such as an inspector of tools. */
function isTrusted(origin: string, baseUrl: string): boolean {
  const own = new URL(baseUrl)
  if (origin === own.origin) return true
  const sent = URL.parse(origin)
  return sent !== null && isLocal(own.hostname) && isLocal(sent.hostname)
}

function isLocal(name: string): boolean {
  const host = canonicalHost(name)
  return host !== undefined && isLoopback(host)
}

const parseError = -32700
/** The first of the range that the protocol leaves to servers. */
const refused = -32000

/** Writes an error as clients of the protocol read it; its status and headers stay as they are everywhere. */
export const answerInRpc = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { error } = c
  // People who open the address in a browser have got a page.
  if (!error || c.res.headers.get('Content-Type')?.startsWith('text/html')) return
  const known = error instanceof AppError ? error : new AppError('InternalError')
  const code = known.code === 'ValidationError' ? parseError : refused
  const data = {
    error: known.code,
    ...(known.details && { details: known.details }),
    ...(known.retryAfterSeconds !== undefined && { retryAfter: known.retryAfterSeconds }),
    ...(known.status >= 500 && { requestId: c.get('requestId') }),
  }
  const body = { jsonrpc: '2.0', id: null, error: { code, message: known.message, data } }
  c.res = new Response(JSON.stringify(body), { status: c.res.status, headers: c.res.headers })
})

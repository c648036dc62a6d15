import { createMiddleware } from 'hono/factory'
import { AppError } from '../contract/answers/errors.ts'
import type { AppEnv } from '../http/app-env.ts'

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

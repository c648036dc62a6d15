import type { Context } from 'hono'
import type { ErrorBody } from '../contract/error-body.ts'
import { AppError } from '../contract/errors.ts'
import type { AppEnv } from './app-env.ts'

/** The only place where an error becomes a status and a body. */
export function errorResponse(error: unknown, c: Context<AppEnv>): Response {
  const known =
    error instanceof AppError ? error : new AppError('InternalError', undefined, { cause: error })
  c.set('fault', known.status >= 500 ? known : known.message)
  const body: ErrorBody = {
    error: known.code,
    message: known.message,
    ...(known.details ? { details: known.details } : {}),
    ...(known.retryAfterSeconds !== undefined ? { retryAfter: known.retryAfterSeconds } : {}),
    ...(known.status >= 500 ? { requestId: c.var.requestId } : {}),
  }
  if (known.retryAfterSeconds !== undefined)
    c.header('Retry-After', String(known.retryAfterSeconds))
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
  return c.json(body, known.status)
}

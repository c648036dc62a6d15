import type { Context } from 'hono'
import type { ErrorBody } from '../contract/error-body.ts'
import { AppError } from '../contract/errors.ts'
import type { AppEnv } from './app-env.ts'
import { isAskedByAPerson, showError } from './show-error.ts'

/** The only place where an error becomes a status and a body, or a page for a person. */
export async function errorResponse(error: unknown, c: Context<AppEnv>): Promise<Response> {
  const known =
    error instanceof AppError ? error : new AppError('InternalError', undefined, { cause: error })
  c.set('fault', known.status >= 500 ? known : known.message)
  if (known.retryAfterSeconds !== undefined)
    c.header('Retry-After', String(known.retryAfterSeconds))
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
  if (isAskedByAPerson(c)) return showError(c, known)
  const body: ErrorBody = {
    error: known.code,
    message: known.message,
    ...(known.details ? { details: known.details } : {}),
    ...(known.retryAfterSeconds !== undefined ? { retryAfter: known.retryAfterSeconds } : {}),
    ...(known.status >= 500 ? { requestId: c.get('requestId') } : {}),
  }
  return c.json(body, known.status)
}

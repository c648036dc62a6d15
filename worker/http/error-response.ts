import type { Context } from 'hono'
import type { ErrorBody } from '../contract/answers/error-body.ts'
import { AppError } from '../contract/answers/errors.ts'
import { explainByDisk } from '../service/limits/disk-room.ts'
import type { AppEnv } from './app-env.ts'
import { isAskedByAPerson, showError } from './show-error.ts'

/** A service without room works as it should, and says so itself; its log needs no stack for each refusal. */
export function isFault(status: number): boolean {
  return status >= 500 && status !== 507
}

/** The only place where an error becomes a status and a body, or a page for a person. */
export async function errorResponse(error: unknown, c: Context<AppEnv>): Promise<Response> {
  const thrown =
    error instanceof AppError ? error : new AppError('InternalError', undefined, { cause: error })
  const known = await explainByDisk(c.env, thrown, Date.now())
  c.set('fault', isFault(known.status) ? known : known.message)
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

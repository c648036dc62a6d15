import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { ErrorBody } from '../contract/answers/error-body.ts'
import { AppError } from '../contract/answers/errors.ts'
import { explainByDisk } from '../service/limits/disk-room.ts'
import type { AppEnv } from './app-env.ts'
import { errorPage } from '../reference/pages/error-page.tsx'

/** A service without room works as it should and says so itself; its log needs no stack for each refusal. */
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
  return c.json(bodyOf(known, c.get('requestId')), known.status)
}

export function bodyOf(
  { code, message, details, retryAfterSeconds, status }: AppError,
  requestId: string,
): ErrorBody {
  return {
    error: code,
    message,
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
    ...(status >= 500 && { requestId }),
  }
}

/** People open links and mistyped addresses in a browser, which prefers HTML; the API itself always answers JSON. */
function isAskedByAPerson(c: Context<AppEnv>): boolean {
  if (/^\/(v1|internal|parts|app\/api)\//.test(c.req.path)) return false
  const wanted = accepts(c, {
    header: 'Accept',
    supports: ['text/html', 'application/json'],
    default: 'application/json',
  })
  return wanted === 'text/html'
}

/** The same error as a page, with the headers that the answer has so far. */
async function showError(c: Context<AppEnv>, error: AppError): Promise<Response> {
  const { status, message } = error
  const requestId = status >= 500 ? c.get('requestId') : undefined
  const { html, policy } = await errorPage({ status, message, requestId, home: homeOf(c) })
  c.header('Vary', 'Accept')
  c.header('Content-Security-Policy', policy)
  return c.html(html, status)
}

/** People who use the dashboard go back to it; everybody else learns what this service is. */
function homeOf(c: Context<AppEnv>): { href: string; label: string } {
  return c.req.path.startsWith('/app/')
    ? { href: '/app/videos', label: 'Your videos' }
    : { href: '/docs', label: 'The documentation' }
}

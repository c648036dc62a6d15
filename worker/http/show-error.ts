import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppError } from '../contract/answers/errors.ts'
import { errorPage } from '../reference/pages/error-page.tsx'
import type { AppEnv } from './app-env.ts'

/** People open links and mistyped addresses in a browser, which prefers HTML; the API itself always answers JSON. */
export function isAskedByAPerson(c: Context<AppEnv>): boolean {
  if (/^\/(v1|internal|parts|app\/api)\//.test(c.req.path)) return false
  const wanted = accepts(c, {
    header: 'Accept',
    supports: ['text/html', 'application/json'],
    default: 'application/json',
  })
  return wanted === 'text/html'
}

/** The same error as a page, with the headers that the answer has so far. */
export async function showError(c: Context<AppEnv>, error: AppError): Promise<Response> {
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

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../http/app-env.ts'
import type { Page } from '../reference/pages/page.ts'

/** Sends a page of the dashboard. It is never kept, because it belongs to who is signed in. */
export function sendPage(
  c: Context<AppEnv>,
  page: Page,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', page.policy)
  return c.html(page.html, status, { 'Cache-Control': 'private, no-store' })
}

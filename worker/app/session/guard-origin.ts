import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../../contract/errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'

/**
 * Lets a request change something only if a page of the dashboard sent it. Browsers say where a request comes from, and
 * no page can make them lie. A client that sends neither header is not a browser, and can use the API with a key.
 */
export const guardOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!['GET', 'HEAD'].includes(c.req.method) && !isFromHere(c)) {
    throw new AppError('Forbidden', 'This request did not come from a page of the dashboard.')
  }
  await next()
})

function isFromHere(c: Context<AppEnv>): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined && site !== 'same-origin') return false
  const origin = c.req.header('Origin')
  // A browser that hides where its user comes from sends null.
  if (origin === undefined || origin === 'null') return site === 'same-origin'
  const own = [c.req.url, readSettings(c.env).baseUrl].map((url) => new URL(url).origin)
  return own.includes(origin)
}

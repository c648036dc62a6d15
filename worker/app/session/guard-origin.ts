import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../../contract/answers/errors.ts'
import { canonicalHost, isLoopback, withoutMapping } from '../../contract/addresses/public-url.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings, type Settings } from '../../settings.ts'

/**
 * Lets a request change something only if a page of the dashboard sent it. Browsers say where a request comes from, and no page
 * can make them lie. A client that sends neither header is not a browser; it can use the API with a key.
 */
export const guardOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!['GET', 'HEAD'].includes(c.req.method) && !isFromHere(c)) {
    throw new AppError('Forbidden', refusalOf(c))
  }
  await next()
})

function isFromHere(c: Context<AppEnv>): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined && site !== 'same-origin') return false
  const origin = c.req.header('Origin')
  // A browser that hides its user's origin sends null.
  if (origin === undefined || origin === 'null') return site === 'same-origin'
  return ownOrigins(c).includes(origin)
}

function ownOrigins(c: Context<AppEnv>): string[] {
  const settings = readSettings(c.env)
  const here = new URL(c.req.url)
  const base = new URL(settings.baseUrl)
  return [base.origin, ...(isOwnHost(here, settings) ? [here.origin] : [])]
}

/**
 * Whether this host name can only lead here. On a self-hosted server a request may name any host: a stranger can point a domain
 * of theirs at the server, and their page would then count as one of ours. That cannot be done to an IP address.
 */
export function isOwnHost({ hostname }: URL, { clientAddress, ownHosts }: Settings): boolean {
  // The edge passes on only requests for host names of the service.
  if (clientAddress === 'edge') return true
  const host = canonicalHost(hostname)
  if (host === undefined) return false
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
  return isAddress || isLoopback(host) || ownHosts.has(withoutMapping(host))
}

function refusalOf(c: Context<AppEnv>): string {
  const refusal = 'This request did not come from a page of the dashboard.'
  const host = c.req.header('Origin')?.replace(/^https?:\/\//, '')
  if (host !== new URL(c.req.url).host) return refusal
  // A proxy stands in front of the service that its settings do not mention.
  return `${refusal} The dashboard is at ${readSettings(c.env).baseUrl}/app; for another address, set BASE_URL.`
}

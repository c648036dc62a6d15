import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { looksLikeToken } from '../../contract/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'

function isSecure(c: Context<AppEnv>): boolean {
  return readSettings(c.env).baseUrl.startsWith('https:')
}

/** Two services on one machine have different ports, which browsers do not look at when they send cookies. */
function nameOf(c: Context<AppEnv>): string {
  const { port } = new URL(readSettings(c.env).baseUrl)
  return port === '' ? 'spool_session' : `spool_session_${port}`
}

/**
 * A browser takes a `__Host-` cookie over https only, and from this very host: no neighbouring subdomain can plant one.
 * Lax lets a link from a mail arrive signed in.
 */
function attributes(c: Context<AppEnv>) {
  const shared = { httpOnly: true, sameSite: 'Lax', path: '/' } as const
  return isSecure(c) ? ({ ...shared, secure: true, prefix: 'host' } as const) : shared
}

/** What the session cookie of the request holds; undefined if it cannot be a token. */
export function readSessionCookie(c: Context<AppEnv>): string | undefined {
  const token = isSecure(c) ? getCookie(c, nameOf(c), 'host') : getCookie(c, nameOf(c))
  return token !== undefined && looksLikeToken(token) ? token : undefined
}

export function setSessionCookie(c: Context<AppEnv>, token: string, maxAgeMs: number): void {
  setCookie(c, nameOf(c), token, { ...attributes(c), maxAge: Math.floor(maxAgeMs / 1000) })
}

export function clearSessionCookie(c: Context<AppEnv>): void {
  setCookie(c, nameOf(c), '', { ...attributes(c), maxAge: 0 })
}

import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { looksLikeToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'

function isSecure(c: Context<AppEnv>): boolean {
  return readSettings(c.env).baseUrl.startsWith('https:')
}

type Name = 'spool_session' | 'spool_browser'

/** The name of a cookie. Two services on one machine have different ports, which browsers ignore when they send cookies. */
function nameOf(c: Context<AppEnv>, name: Name): string {
  const { port } = new URL(readSettings(c.env).baseUrl)
  return port === '' ? name : `${name}_${port}`
}

/**
 * A browser accepts a `__Host-` cookie over https only, and from exactly this host: no neighbouring subdomain can plant one.
 * Lax lets a link in a mail arrive signed in.
 */
function attributes(c: Context<AppEnv>) {
  const shared = { httpOnly: true, sameSite: 'Lax', path: '/' } as const
  return isSecure(c) ? ({ ...shared, secure: true, prefix: 'host' } as const) : shared
}

function readCookie(c: Context<AppEnv>, name: Name): string | undefined {
  return isSecure(c) ? getCookie(c, nameOf(c, name), 'host') : getCookie(c, nameOf(c, name))
}

function writeCookie(c: Context<AppEnv>, name: Name, value: string, maxAgeMs: number): void {
  const maxAge = Math.floor(maxAgeMs / 1000)
  setCookie(c, nameOf(c, name), value, { ...attributes(c), maxAge })
}

/** What the session cookie of the request holds; undefined if it cannot be a token. */
export function readSessionCookie(c: Context<AppEnv>): string | undefined {
  const token = readCookie(c, 'spool_session')
  return token !== undefined && looksLikeToken(token) ? token : undefined
}

export function setSessionCookie(c: Context<AppEnv>, token: string, maxAgeMs: number): void {
  writeCookie(c, 'spool_session', token, maxAgeMs)
}

export function clearSessionCookie(c: Context<AppEnv>): void {
  writeCookie(c, 'spool_session', '', 0)
}

/** The marks by which a browser is recognised for the people who have signed in with it; they outlast signing out. */
export function readBrowserCookie(c: Context<AppEnv>): string {
  return readCookie(c, 'spool_browser') ?? ''
}

/** The longest time for which browsers keep a cookie. */
const browserCookieMs = 400 * 86_400_000

export function setBrowserCookie(c: Context<AppEnv>, marks: string): void {
  writeCookie(c, 'spool_browser', marks, browserCookieMs)
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long a session lasts without being used, and at most. */
export const sessionTimes = { idleMs: 30 * dayMs, longestMs: 180 * dayMs, noteEveryMs: hourMs }

/** When a session that began then and is used now ends. */
export function endOfSession(createdAt: number, now: number): number {
  return Math.min(now + sessionTimes.idleMs, createdAt + sessionTimes.longestMs)
}

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../http/app-env.ts'
import type { LinkMaker } from '../service/videos/describe-video.ts'
import { makeLinks } from '../service/files/file-links.ts'
import { readSettings, type Settings } from '../settings.ts'
import { appPage, type PageContent } from './design/app-page.tsx'
import { addressOf } from './design/shell.tsx'
import { memberOf } from './session/require-member.ts'

/** Sends a page of the dashboard. No cache may keep it, because it belongs to the signed-in member. */
export async function sendPage(
  c: Context<AppEnv>,
  shown: PageContent,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const { section, address } = shown
  const member = section === undefined ? undefined : memberOf(c)
  const posted = c.req.method === 'POST' ? (address ?? addressOf(section)) : undefined
  const { storageUrl: storage } = readSettings(c.env)
  const page = await appPage({ ...shown, member, posted, storage })
  c.header('Content-Security-Policy', page.policy)
  return c.html(page.html, status, { 'Cache-Control': 'private, no-store' })
}

const sameForMs = 3_600_000

/** Makes links for a page. They stay the same for an hour, because a page that polls must not load every picture again. */
export function pageLinks(settings: Settings, now: number): LinkMaker {
  return makeLinks(settings, Math.floor(now / sameForMs) * sameForMs)
}

/** The link with which a browser saves the file instead of showing it. */
export function toSave(link: string): string {
  const url = new URL(link)
  url.searchParams.set('download', '1')
  return url.href
}

import type { LinkMaker } from '../service/videos/describe-video.ts'
import { makeLinks } from '../service/files/file-links.ts'
import type { Settings } from '../settings.ts'

const sameForMs = 3_600_000

/**
 * Links for a page. They are the same for an hour, because a page that asks for itself again must not load each picture
 * again.
 */
export function pageLinks(settings: Settings, now: number): LinkMaker {
  return makeLinks(settings, Math.floor(now / sameForMs) * sameForMs)
}

/** The link with which a browser saves the file instead of showing it. */
export function toSave(link: string): string {
  const url = new URL(link)
  url.searchParams.set('download', '1')
  return url.href
}

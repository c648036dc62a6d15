import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isRecord } from '../../contract/input/is-record.ts'

type Fields = Record<string, unknown>

/**
 * The body of an event with links that work again; undefined while the old ones still do. Nothing else changes, so that
 * a receiver sees the event it would have seen. A link whose file is gone is left out.
 */
export async function refreshLinks(
  body: string,
  about: { fileBase: string; now: number; readRecord: () => Promise<VideoRecord | undefined> },
): Promise<string | undefined> {
  // This service wrote the body, so it has the shape of a WebhookEvent.
  const event = JSON.parse(body) as { data: Fields }
  const { linksExpireAt } = event.data
  if (typeof linksExpireAt !== 'string' || Date.parse(linksExpireAt) > about.now) return undefined
  const fresh: Fields | undefined = await about.readRecord()
  if (!fresh) return undefined
  const data = withLinks(event.data, fresh, `${about.fileBase}/files/`)
  return JSON.stringify({ ...event, data })
}

/** The links that the service makes. Anything else that looks like one is the caller's own text. */
const linkNames = new Set(['finalVideoUrl', 'thumbnailUrl', 'transcriptUrl', 'vttUrl', 'srtUrl'])

function withLinks(old: Fields, fresh: Fields, linkBase: string): Fields {
  const entries = Object.entries(old).flatMap(([name, value]): [string, unknown][] => {
    const now = fresh[name]
    if (name === 'transcript' && isRecord(value) && isRecord(now)) {
      return [[name, withLinks(value, now, linkBase)]]
    }
    if (name === 'outputs' && Array.isArray(value) && Array.isArray(now)) {
      return [[name, value.map((one, i) => withLink(one, now[i], linkBase))]]
    }
    const isLink = linkNames.has(name) && String(value).startsWith(linkBase)
    if (!isLink && name !== 'linksExpireAt') return [[name, value]]
    return now === undefined ? [] : [[name, now]]
  })
  return Object.fromEntries(entries)
}

/** An output without its file keeps its other fields. */
function withLink(old: unknown, fresh: unknown, linkBase: string): unknown {
  if (!isRecord(old) || !String(old['url']).startsWith(linkBase)) return old
  const now = isRecord(fresh) ? fresh : {}
  const [before, after] = [old['files'], now['files']]
  const files = Array.isArray(before)
    ? before.map((one, i) => withLink(one, Array.isArray(after) ? after[i] : undefined, linkBase))
    : undefined
  const entries = Object.entries({ ...old, url: now['url'], files }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries)
}

import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isRecord } from '../../contract/input/is-record.ts'

/**
 * The body of an event with links that work again; undefined while the old ones still do. Nothing else changes, so that
 * a receiver sees the event it would have seen. A link whose file is gone is left out.
 */
export async function refreshLinks(
  body: string,
  about: { fileBase: string; now: number; readRecord: () => Promise<VideoRecord | undefined> },
): Promise<string | undefined> {
  // This service wrote the body, so it has the shape of a WebhookEvent.
  const event = JSON.parse(body) as { data: Record<string, unknown> }
  const { linksExpireAt } = event.data
  if (typeof linksExpireAt !== 'string' || Date.parse(linksExpireAt) > about.now) return undefined
  const fresh = await about.readRecord()
  if (!fresh) return undefined
  const data = renewed(event.data, { fresh, places, linkBase: `${about.fileBase}/files/` })
  return JSON.stringify({ ...event, data })
}

type LinkPlaces = { readonly [field: string]: 'link' | 'time' | LinkPlaces }

const ofTranscript = { transcriptUrl: 'link', vttUrl: 'link', srtUrl: 'link' } as const
const ofChecks = { stillUrl: 'link' } as const

/** Where the service puts links into a record, or into each entry of a list. Anything else that looks like a link is the caller's own text. */
const places: LinkPlaces = {
  linksExpireAt: 'time',
  finalVideoUrl: 'link',
  thumbnailUrl: 'link',
  transcript: ofTranscript,
  translations: ofTranscript,
  checks: ofChecks,
  outputs: { url: 'link', files: { url: 'link' }, checks: ofChecks },
}

type Renewing = { fresh: unknown; places: LinkPlaces; linkBase: string }

/** What has no link any more keeps its other fields. */
function renewed(old: unknown, { fresh, places, linkBase }: Renewing): unknown {
  if (Array.isArray(old)) {
    const all: readonly unknown[] = Array.isArray(fresh) ? fresh : []
    return old.map((one, i) => renewed(one, { fresh: all[i], places, linkBase }))
  }
  if (!isRecord(old)) return old
  const now = isRecord(fresh) ? fresh : {}
  const entries = Object.entries(old).map(([name, value]): [string, unknown] => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined
    if (typeof place === 'object') {
      return [name, renewed(value, { fresh: now[name], places: place, linkBase })]
    }
    const isOld = place === 'time' || (place === 'link' && String(value).startsWith(linkBase))
    return [name, isOld ? now[name] : value]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

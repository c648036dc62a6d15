import type { Bucket } from '../platform/bucket.ts'
import type { Account } from './account.ts'
import type { Exchange } from './exchange.ts'
import { unevenFilmInParts } from './media/film-parts.ts'

/**
 * A film whose parts take different times, in an hour in which nothing else is made and nothing fails but the bucket, which does
 * not take the result at first: no slot stays with it in vain, and no attempt is lost.
 */
export async function sendUnevenFilm(
  { bucket, exchange }: { bucket: Bucket; exchange: Exchange },
  { name, key }: Account,
): Promise<void> {
  bucket.failSoon()
  const body = { fileUrl: `https://sources.example.com/${unevenFilmInParts}.mp4`, reuse: false }
  await exchange.ask({ who: `${name} unevenly`, method: 'POST', path: '/v1/videos', key, body })
}

import { PlainAnswer } from '../engine/plain-response.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from './bucket.ts'
import type { Sent } from './network.ts'

/** What the bucket answers at its signed addresses: a file, or that a part of one has come. */
export async function answerAtBucket(
  { world, bucket }: { world: World; bucket: Bucket },
  { url, text, method }: Sent,
): Promise<Response> {
  const { pathname, searchParams } = new URL(url)
  const key = decodeURIComponent(pathname.replace(/^\/spool-media\//, ''))
  if (method === 'GET') {
    const stored = bucket.objects.get(key)
    return new PlainAnswer(stored?.bytes, { status: stored ? 200 : 404 })
  }
  const bytes = new TextEncoder().encode(text)
  const part = { number: Number(searchParams.get('partNumber')), bytes }
  if (world.faults.strikes('bucket fails', `part of ${key} ${world.now}`))
    return new PlainAnswer(null, { status: 500 })
  const etag = bucket.putPart(key, searchParams.get('uploadId') ?? '', part)
  if (etag === undefined) return new PlainAnswer(null, { status: 404 })
  return new PlainAnswer(null, { headers: { etag: `"${etag}"` } })
}

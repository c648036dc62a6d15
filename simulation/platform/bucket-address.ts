import { PlainAnswer } from '../engine/plain-response.ts'
import type { World } from '../engine/world.ts'
import { faultOfSignature, lifeOf } from './bucket-signature.ts'
import type { Bucket } from './bucket.ts'
import { commonSettings } from './common-settings.ts'
import type { Sent } from './network.ts'

const secrets = [commonSettings.S3_SECRET_ACCESS_KEY]

/**
 * What the bucket answers at its signed addresses: a file, or that a part of one has come. `mostMs`: for how long an address may
 * be good.
 */
export async function answerAtBucket(
  { world, bucket, mostMs }: { world: World; bucket: Bucket; mostMs: number },
  sent: Sent,
): Promise<Response> {
  const { url, text, method } = sent
  const fault = faultOfSignature(sent, secrets)
  const { ms, isOver } = lifeOf(sent, world.loop.wall)
  if (fault !== undefined) world.break(`the bucket was asked for ${url} ${fault}`)
  if (!(ms <= mostMs)) world.break(`an address of the bucket is good for ${ms} ms: ${url}`)
  if (isOver) return new PlainAnswer(null, { status: 403 })
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

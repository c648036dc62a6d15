// Runs beside the service, in its runtime: the same files without the service, and what the service asks of D1.
import { serviceBeside } from '../service/count-statements.js'
export * from '../../worker/index.ts'

const block = new Uint8Array(65_536).map((_, i) => i)

/** Puts a finished file into the bucket and its video's row, as if a media worker had made it. */
async function finish(request, env) {
  const { videoId, bytes } = await request.json()
  const key = `videos/${videoId}/out/1/final.mp4`
  const { readable, writable } = new FixedLengthStream(bytes)
  const writing = (async () => {
    const writer = writable.getWriter()
    for (let left = bytes; left > 0; left -= block.length) {
      await writer.write(left < block.length ? block.subarray(0, left) : block)
    }
    await writer.close()
  })()
  const object = await env.BUCKET.put(key, readable, { httpMetadata: { contentType: 'video/mp4' } })
  await writing
  const { httpEtag: etag, size: sizeBytes } = object
  const final = { key, sizeBytes, etag, contentType: 'video/mp4', extension: 'mp4' }
  const videoMetadata = { width: 1920, height: 1080, duration: 60, fps: 25, sizeInBytes: bytes }
  const now = Date.now()
  await env.DB.prepare(
    `UPDATE videos SET status = 'succeeded', result = ?, finished_at = ?, files_expire_at = ? WHERE id = ?`,
  )
    .bind(JSON.stringify({ outputs: { final }, videoMetadata }), now, now + 86_400_000, videoId)
    .run()
  return Response.json({ key })
}

async function readBucket(request, env) {
  const key = new URL(request.url).searchParams.get('key')
  const range = request.headers.get('Range')
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const offset = Number(first)
  const part = first === undefined ? {} : { range: { offset, length: Number(last) - offset + 1 } }
  const object = await env.BUCKET.get(key, part)
  return new Response(object.body)
}

export default {
  fetch: serviceBeside({ '/bench/finish': finish, '/bench/bucket': readBucket }),
  queue: (batch) => batch.ackAll(),
}

import { describe, expect, it } from 'vitest'
import { deriveKey } from '../../../../worker/contract/keyed-hash.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { reportDisk } from '../../../support/worker/platform/disk.ts'
import { aFile, clip, formOf, boundary, uploadPath } from '../../../support/worker/upload-form.ts'
import { mp4Bytes, openUpload, partBytes, putPart } from '../../../support/worker/uploads.ts'
import { aVideo, sourceUrl, start, videoRow } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const megabyte = 1_000_000
const create = { fileUrl: sourceUrl }

async function sendForm(client: Awaited<ReturnType<typeof aClient>>, bytes: Uint8Array) {
  const body = formOf([aFile(bytes)])
  const headers = {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': String(body.length),
  }
  return client.send(uploadPath, { method: 'POST', body, headers })
}

describe('a disk with less than its reserve', () => {
  it('refuses new videos and uploads with 507, and takes them again as soon as there is room', async () => {
    const client = await aClient()
    const disk = reportDisk(99 * megabyte)
    const announced = { fileName: 'a.mp4', sizeInBytes: 5, contentType: 'video/mp4' }
    const asked = [
      async () => client.post('/v1/videos', create),
      async () => client.post('/v1/uploads', announced),
      async () => sendForm(client, clip),
    ]
    for (const ask of asked) {
      const answer = await ask()
      expect(answer.status).toBe(507)
      expect(answer.headers.get('Retry-After')).toBe('60')
      expect(answer.json).toMatchObject({ error: 'InsufficientStorage', retryAfter: 60 })
      expect(answer.json['message']).toContain('The disk of this service is almost full')
    }
    disk.freeBytes = 101 * megabyte
    advanceSeconds(1)
    const statuses = []
    for (const ask of asked) statuses.push((await ask()).status)
    expect(statuses).toEqual([202, 201, 202])
  })

  it('repeats the answer to a request that was made before', async () => {
    const client = await aClient()
    const key = { 'Idempotency-Key': 'once' }
    const disk = reportDisk(500 * megabyte)
    const first = await client.post('/v1/videos', create, key)
    disk.freeBytes = 0
    advanceSeconds(1)
    const repeated = await client.post('/v1/videos', create, key)
    expect([repeated.status, repeated.text]).toEqual([202, first.text])
  })

  it('takes parts of an upload only while they leave the reserve alone', async () => {
    const client = await aClient()
    const disk = reportDisk(500 * megabyte)
    const { urls } = await openUpload(client, partBytes + 10)
    disk.freeBytes = 100 * megabyte + partBytes - 1
    advanceSeconds(1)
    const refused = await putPart(urls[0], mp4Bytes(partBytes))
    expect(refused.json).toMatchObject({ error: 'InsufficientStorage' })
    expect((await putPart(urls[1], mp4Bytes(10))).status).toBe(200)
    disk.freeBytes = 100 * megabyte + partBytes
    advanceSeconds(1)
    expect((await putPart(urls[0], mp4Bytes(partBytes))).status).toBe(200)
  })

  it('refuses a file that would not fit before it is sent', async () => {
    const client = await aClient()
    reportDisk(110 * megabyte)
    const announced = { fileName: 'a.mp4', contentType: 'video/mp4' }
    const of = async (sizeInBytes: number) =>
      (await client.post('/v1/uploads', { ...announced, sizeInBytes })).status
    expect([await of(11 * megabyte), await of(9 * megabyte)]).toEqual([507, 201])
  })

  it('promises the same room only once to forms that arrive together', async () => {
    const client = await aClient()
    reportDisk(107 * megabyte)
    const bytes = mp4Bytes(3 * megabyte)
    const answers = await Promise.all([1, 2, 3, 4].map(async () => sendForm(client, bytes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 507, 507])
    const { objects } = await bindings.BUCKET.list()
    expect(objects.filter(({ size }) => size === bytes.length)).toHaveLength(2)
  })

  it('stores the results of what was accepted until half of the reserve is gone', async () => {
    const disk = reportDisk(500 * megabyte)
    const running = await aVideo()
    const { attempt } = await start(running)
    disk.freeBytes = 50 * megabyte
    advanceSeconds(1)
    expect((await attempt.askForUpload('final', 1)).status).toBe(507)
    disk.freeBytes = 51 * megabyte
    advanceSeconds(1)
    await attempt.finish()
    expect(await videoRow(running.videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('is told by /health, which stays ok, and by /metrics', async () => {
    reportDisk(49 * megabyte)
    advanceSeconds(60)
    const health = await send('/health')
    expect(health.status).toBe(200)
    const message = 'The disk has 49 MB left: no new video or upload is accepted'
    expect(health.json).toMatchObject({ checks: { disk: { status: 'ok', message } } })
    reportDisk(0)
    advanceSeconds(60)
    expect((await send('/health')).text).toContain('has nothing left, or takes no more files')
    reportDisk(49 * megabyte)
    advanceSeconds(60)
    const token = await deriveKey(bindings.SPOOL_ADMIN_SECRET, 'metrics')
    const metrics = await send('/metrics', { headers: { Authorization: `Bearer ${token}` } })
    expect(metrics.text).toContain('spool_disk_free_bytes 49000000\n')
    expect(metrics.text).toContain('spool_disk_reserve_bytes 100000000\n')
    expect(metrics.text).toContain('spool_disk_level 2\n')
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { tick } from '../../support/worker/tick.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { refusal, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import {
  aReadyUpload,
  aReceivedUpload,
  mp4Bytes,
  openUpload,
  putPart,
} from '../../support/worker/uploads.ts'
import { sourceKeys, start, type Created } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

let client: Client
beforeAll(async () => {
  client = await aClient()
})

async function create(uploadId: string, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
  return client.post('/v1/videos', { uploadId }, headers)
}

async function countUploads(uploadId: string): Promise<number | null> {
  const count = bindings.DB.prepare('SELECT count(*) AS n FROM uploads WHERE id = ?')
  return count.bind(uploadId).first<number>('n')
}

describe('a video made of an upload', () => {
  it('has the upload as its source, is named after it, and shows it in its record', async () => {
    const { uploadId } = await aReadyUpload(client)
    const answer = await create(uploadId)
    expect(answer.status).toBe(202)
    const { videoId, jobId } = answer.json as Created
    const { attempt } = await start({ videoId, jobId })
    expect(attempt.job.inputs).toEqual([
      {
        field: 'uploadId',
        origin: 'storage',
        url: expect.stringContaining(`/uploads/${uploadId}/source?`) as string,
      },
    ])
    await attempt.finish()
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'succeeded', videoName: 'talk', uploadId })
    const upload = (await client.get(`/v1/uploads/${uploadId}`)).json
    expect(upload).toMatchObject({ status: 'used', videoId })
  })

  it('is the only one: a second video is refused, and so is deleting the upload', async () => {
    const { uploadId } = await aReadyUpload(client)
    const { videoId } = (await create(uploadId)).json
    expect(refusal(await create(uploadId))).toEqual({
      status: 409,
      error: 'Conflict',
      message: `The upload was already used by video ${String(videoId)}. To use its file again, give sourceVideoId: "${String(videoId)}" in place of uploadId.`,
    })
    expect((await client.delete(`/v1/uploads/${uploadId}`)).status).toBe(409)
    expect((await client.post(`/v1/uploads/${uploadId}/complete`)).status).toBe(409)
    expect(await sourceKeys(uploadId)).toHaveLength(1)
  })

  it('is a single one, however many requests come at once', async () => {
    const { uploadId } = await aReadyUpload(client)
    const answers = await Promise.all(Array.from({ length: 8 }, async () => create(uploadId)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([202, 409, 409, 409, 409, 409, 409, 409])
    const mine = bindings.DB.prepare(`SELECT count(*) AS n FROM videos WHERE source LIKE ?`)
    expect(await mine.bind(`%${uploadId}%`).first('n')).toBe(1)
  })

  it('is the same one for the same Idempotency-Key, one after the other and at once', async () => {
    const { uploadId } = await aReadyUpload(client)
    const answers = await Promise.all(Array.from({ length: 5 }, async () => create(uploadId, 'k')))
    const again = await create(uploadId, 'k')
    expect([...answers, again].map(({ status }) => status)).toEqual(Array(6).fill(202))
    expect(new Set([...answers, again].map(({ text }) => text)).size).toBe(1)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await create(uploadId, 'other')).status).toBe(409)
  })

  it.each(['open', 'received'])('must wait while the upload is %s', async (state) => {
    const opened = await (state === 'open' ? openUpload(client, 5000) : aReceivedUpload(client))
    expect(refusal(await create(opened.uploadId))).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The upload is open; complete it first.',
    })
    // A refusal does not use up the key.
    expect((await create(opened.uploadId, `key-${state}`)).status).toBe(409)
    const [url] = opened.urls
    if (state === 'open') await putPart(url, mp4Bytes(5000))
    await client.post(`/v1/uploads/${opened.uploadId}/complete`)
    expect((await create(opened.uploadId, `key-${state}`)).status).toBe(202)
  })
})

describe('the sweep of uploads', () => {
  it('removes what was abandoned, open or ready, with its bytes', async () => {
    const open = await aReceivedUpload(client)
    const ready = await aReadyUpload(client)
    advanceSeconds(86_399)
    await tick()
    expect(await countUploads(open.uploadId)).toBe(1)
    advanceSeconds(1)
    await tick()
    expect(await countUploads(open.uploadId)).toBe(0)
    expect(await countUploads(ready.uploadId)).toBe(0)
    expect(await sourceKeys(ready.uploadId)).toEqual([])
  })

  it('keeps the bytes of an upload that a video uses', async () => {
    const { uploadId } = await aReadyUpload(client)
    await create(uploadId)
    advanceSeconds(86_400)
    await tick()
    expect(await countUploads(uploadId)).toBe(0)
    expect(await sourceKeys(uploadId)).toHaveLength(1)
    expect((await create(uploadId)).status).toBe(404)
  })
})

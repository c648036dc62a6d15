import { beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../../worker/settings.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { refusal, type Client } from '../../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../../support/worker/clock.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import {
  aReadyUpload,
  aReceivedUpload,
  mp4Bytes,
  openUpload,
  partBytes,
  putPart,
} from '../../../support/worker/uploads.ts'
import { sourceKeys } from '../../../support/worker/videos.ts'

stopTheClock()
standInQueue()

let client: Client
beforeAll(async () => {
  client = await aClient()
})

const pathOf = (uploadId: string) => `/v1/uploads/${uploadId}`
const fields = (json: Record<string, unknown>) =>
  (json['details'] as { field: string; message: string }[]).map(({ field }) => field)

const textBytes = (text: string) => Uint8Array.from(new TextEncoder().encode(text))

async function storedBytes(uploadId: string): Promise<Uint8Array> {
  const object = await bindings.BUCKET.get(`uploads/${uploadId}/source`)
  return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0))
}

describe('POST /v1/uploads', () => {
  it('returns an id, the size of the parts, an address for each, and the expiry time', async () => {
    const answer = await client.post('/v1/uploads', {
      fileName: 'talk.mp4',
      sizeInBytes: 2 * partBytes + 1,
      contentType: 'video/mp4',
    })
    expect(answer.status).toBe(201)
    const { uploadId, parts, ...rest } = answer.json as {
      uploadId: string
      parts: { partNumber: number; url: string }[]
    }
    expect(rest).toEqual({
      partSize: partBytes,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    })
    expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3])
    expect(parts[0]?.url).toMatch(`${bindings.BASE_URL}/parts/${uploadId}.1.`)
    expect(answer.headers.get('Location')).toBe(pathOf(uploadId))
  })

  it('needs no content type', async () => {
    const body = { fileName: 'talk.mp4', sizeInBytes: 1 }
    expect((await client.post('/v1/uploads', body)).status).toBe(201)
  })

  it('accepts a file as large as the setting allows, and refuses one byte more with 413', async () => {
    const most = readSettings(bindings).maxUploadBytes
    expect((await openUpload(client, most)).urls).toHaveLength(most / partBytes)
    const more = { fileName: 'a.mp4', sizeInBytes: most + 1, contentType: 'video/mp4' }
    expect(refusal(await client.post('/v1/uploads', more))).toEqual({
      status: 413,
      error: 'PayloadTooLarge',
      message: `sizeInBytes: Must be at most ${most} bytes`,
    })
  })
})

describe('an upload in three parts', () => {
  it('arrives in any order, one part twice, and is exactly what was sent', async () => {
    const whole = mp4Bytes(2 * partBytes + 77)
    whole.fill(1, partBytes, 2 * partBytes).fill(2, 2 * partBytes)
    const cut = (i: number) => whole.slice(i * partBytes, (i + 1) * partBytes)
    const { uploadId, urls } = await openUpload(client, whole.length)

    expect((await putPart(urls[2], cut(2))).status).toBe(200)
    const [second, wrong] = await Promise.all([
      putPart(urls[1], cut(1)),
      putPart(urls[0], new Uint8Array(partBytes).fill(9)),
    ])
    expect([second.status, wrong.status]).toEqual([200, 200])
    const between = (await client.get(pathOf(uploadId))).json
    expect(between).toMatchObject({ status: 'open', parts: [], sizeInBytes: whole.length })

    const first = await putPart(urls[0], cut(0))
    expect(first.headers.get('ETag')).not.toBe(wrong.headers.get('ETag'))
    const { json } = await client.get(pathOf(uploadId))
    expect(json['receivedParts']).toEqual([
      { partNumber: 1, etag: first.headers.get('ETag'), sizeInBytes: partBytes },
      { partNumber: 2, etag: second.headers.get('ETag'), sizeInBytes: partBytes },
      { partNumber: 3, etag: expect.any(String) as string, sizeInBytes: 77 },
    ])

    const received = json['receivedParts'] as { partNumber: number; etag: string }[]
    const parts = received.map(({ partNumber, etag }) => ({ partNumber, etag }))
    const completed = await client.post(`${pathOf(uploadId)}/complete`, { parts })
    expect(completed).toMatchObject({ status: 200, json: { uploadId, status: 'ready' } })
    const digest = async (bytes: Uint8Array) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    expect(await digest(await storedBytes(uploadId))).toEqual(await digest(whole))
  })

  it('says which parts are missing, and returns fresh addresses only for them', async () => {
    const { uploadId, urls } = await openUpload(client, 2 * partBytes + 5)
    await putPart(urls[2], new Uint8Array(5))
    const { json } = await client.get(pathOf(uploadId))
    const parts = json['parts'] as { partNumber: number; url: string }[]
    expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2])
    const answer = await client.post(`${pathOf(uploadId)}/complete`)
    expect(refusal(answer)).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'Not all parts have been received; missing: 1, 2.',
    })
    expect(answer.json['details']).toEqual([
      { field: 'parts', message: 'Part 1 has not been received' },
      { field: 'parts', message: 'Part 2 has not been received' },
    ])
  })
})

describe('POST /v1/uploads/{uploadId}/complete', () => {
  it('gives the same answer again', async () => {
    const { uploadId } = await aReadyUpload(client)
    const again = await client.post(`${pathOf(uploadId)}/complete`, {})
    expect(again).toMatchObject({ status: 200, json: { uploadId, status: 'ready' } })
  })

  it('gives two simultaneous requests the same answer', async () => {
    const { uploadId } = await aReceivedUpload(client)
    const ask = async () => client.post(`${pathOf(uploadId)}/complete`)
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  it('compares the listed parts with those that arrived', async () => {
    const { uploadId } = await aReceivedUpload(client)
    const complete = async (parts: unknown) =>
      client.post(`${pathOf(uploadId)}/complete`, { parts })
    const wrong = await complete([
      { partNumber: 1, etag: '"other"' },
      { partNumber: 2, etag: '"x"' },
    ])
    expect(wrong.status).toBe(400)
    expect(fields(wrong.json)).toEqual(['parts[0].etag', 'parts[1].partNumber'])
    expect(fields((await complete([])).json)).toEqual(['parts'])
    expect((await client.get(pathOf(uploadId))).json).toMatchObject({ status: 'open' })
  })

  it.each([
    [422, 'UnsupportedMediaType', '%PDF-1.7 a document', /PDF.*MP4, MOV, AVI, WebM, MKV/],
    [400, 'ValidationError', 'nobody knows what this is', /MP4, MOV, AVI, WebM, MKV/],
  ])(
    'refuses with %i (%s) a file that is not a video, every time',
    async (status, error, text, message) => {
      const { uploadId } = await aReceivedUpload(client, textBytes(text))
      const answer = await client.post(`${pathOf(uploadId)}/complete`)
      expect(answer).toMatchObject({ status, json: { error } })
      expect(answer.json['message']).toMatch(message)
      const again = await client.post(`${pathOf(uploadId)}/complete`)
      expect(again.json).toEqual(answer.json)
      expect(await sourceKeys(uploadId)).toEqual([])
      expect((await client.get(pathOf(uploadId))).json).toMatchObject({ status: 'refused' })
      expect((await client.post('/v1/videos', { uploadId })).status).toBe(409)
    },
  )
})

describe('DELETE /v1/uploads/{uploadId}', () => {
  it.each(['open', 'ready'])('removes one that is %s, and what it has stored', async (status) => {
    const { uploadId, urls } = await (status === 'open' ? aReceivedUpload : aReadyUpload)(client)
    expect((await client.delete(pathOf(uploadId))).status).toBe(204)
    expect(await sourceKeys(uploadId)).toEqual([])
    expect((await client.get(pathOf(uploadId))).status).toBe(404)
    expect((await client.delete(pathOf(uploadId))).status).toBe(404)
    expect((await putPart(urls[0], mp4Bytes(5000))).status).toBe(404)
    expect((await client.post(`${pathOf(uploadId)}/complete`)).status).toBe(404)
    expect((await client.post('/v1/videos', { uploadId })).status).toBe(404)
  })
})

describe('an expired upload', () => {
  it('is gone, and so are its addresses', async () => {
    const { uploadId, urls } = await openUpload(client, 10)
    advanceSeconds(86_400)
    expect((await client.get(pathOf(uploadId))).status).toBe(404)
    expect(refusal(await putPart(urls[0], mp4Bytes(10)))).toEqual({
      status: 403,
      error: 'Forbidden',
      message: 'This upload has expired. Start a new one.',
    })
  })

  it('is kept for another day once it is complete', async () => {
    const { uploadId } = await aReceivedUpload(client)
    advanceSeconds(86_000)
    await client.post(`${pathOf(uploadId)}/complete`)
    advanceSeconds(86_000)
    expect((await client.get(pathOf(uploadId))).json).toMatchObject({ status: 'ready' })
  })
})

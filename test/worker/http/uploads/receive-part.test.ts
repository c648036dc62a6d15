import { beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings, type Settings } from '../../../../worker/settings.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { refusal, send, type Client } from '../../../support/worker/client.ts'
import {
  aReadyUpload,
  mp4Bytes,
  openUpload,
  partBytes,
  putPart,
  type Opened,
} from '../../../support/worker/uploads.ts'

let client: Client
let opened: Opened
beforeAll(async () => {
  client = await aClient()
  opened = await openUpload(client, 100)
})

const urlOf = ({ urls }: Opened) => urls[0] ?? ''

describe('PUT of a part', () => {
  it('needs no key, is not counted, and answers with the ETag', async () => {
    const limited = await aClient({ rateLimits: '1/3600' })
    const mine = await openUpload(limited, 100)
    for (let i = 0; i < 3; i++) {
      const answer = await putPart(urlOf(mine), mp4Bytes(100))
      expect(answer).toMatchObject({ status: 200, json: { partNumber: 1, sizeInBytes: 100 } })
      expect(answer.headers.get('ETag')).toMatch(/^".+"$/)
      expect(answer.headers.has('X-RateLimit-Limit')).toBe(false)
    }
  })

  it.each([99, 101])('refuses %i bytes instead of 100, naming both numbers', async (size) => {
    expect(refusal(await putPart(urlOf(opened), mp4Bytes(size)))).toEqual({
      status: 400,
      error: 'ValidationError',
      message: `Content-Length: Part 1 must have exactly 100 bytes; this has ${size}`,
    })
  })

  it('refuses a body of unknown length with 411', async () => {
    const body = new Response(mp4Bytes(100)).body?.pipeThrough(new TransformStream())
    const answer = await send(new URL(urlOf(opened)).pathname, {
      method: 'PUT',
      body: body ?? null,
    })
    expect(answer).toMatchObject({ status: 411, json: { error: 'LengthRequired' } })
  })

  it.each<[string, (url: string) => string]>([
    ['another part', (url) => url.replace('.1.', '.2.')],
    ['a later end', (url) => url.replace(/\.1\.(\d+)/, (_, end) => `.1.${Number(end) + 1}`)],
    ['another upload', (url) => url.replace(/u_./, (start) => (start === 'u_Z' ? 'u_Y' : 'u_Z'))],
    ['a forged signature', (url) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['nothing of it', () => `${bindings.BASE_URL}/parts/x`],
  ])('refuses an address changed to %s', async (_, change) => {
    expect(refusal(await putPart(change(urlOf(opened)), mp4Bytes(100)))).toEqual({
      status: 403,
      error: 'Forbidden',
      message: 'This address is not valid. Read the upload for a fresh one.',
    })
  })

  it('refuses a part of a complete upload', async () => {
    const ready = await aReadyUpload(client)
    expect(refusal(await putPart(urlOf(ready), mp4Bytes(5000)))).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The upload is complete (ready); its parts can no longer be changed.',
    })
  })

  it('says so if storage did not take the part, and keeps the other parts', async () => {
    const mine = await openUpload(client, 100)
    const bucket = prototypeOf(bindings.BUCKET)
    vi.spyOn(bucket, 'resumeMultipartUpload').mockImplementation(() => {
      throw new Error('R2 is down')
    })
    const answer = await putPart(urlOf(mine), mp4Bytes(100))
    vi.restoreAllMocks()
    expect(answer).toMatchObject({ status: 500, json: { error: 'StorageError' } })
    expect((await putPart(urlOf(mine), mp4Bytes(100))).status).toBe(200)
  })
})

describe('one part sent twice at once', () => {
  it('is the one that R2 has kept, even if the database recorded them in the other order', async () => {
    const mine = await openUpload(client, partBytes + 10)
    const path = `/v1/uploads/${mine.uploadId}`
    await putPart(mine.urls[0], mp4Bytes(partBytes))
    await putPart(mine.urls[1], new Uint8Array(10).fill(7))
    // The record of another one that R2 has overwritten, but that was recorded later.
    const late = bindings.DB.prepare(
      `INSERT INTO upload_parts SELECT upload_id, part_number, 'written-over', size_bytes, stored_at + 1000
         FROM upload_parts WHERE upload_id = ? AND part_number = 2`,
    )
    await late.bind(mine.uploadId).run()
    const { json } = await client.get(path)
    expect(json['receivedParts']).toHaveLength(2)
    expect((await client.post(`${path}/complete`)).status).toBe(200)
    const range = { offset: partBytes, length: 10 }
    const object = await bindings.BUCKET.get(`uploads/${mine.uploadId}/source`, { range })
    expect(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
      new Uint8Array(10).fill(7),
    )
  })

  it('that was stored but never recorded is a conflict on completion, until it is sent again', async () => {
    const mine = await openUpload(client, 100)
    const complete = `/v1/uploads/${mine.uploadId}/complete`
    await putPart(mine.urls[0], mp4Bytes(100))
    const row = bindings.DB.prepare('SELECT multipart_id FROM uploads WHERE id = ?')
    const multipartId = await row.bind(mine.uploadId).first<string>('multipart_id')
    const key = `uploads/${mine.uploadId}/source`
    const stored = bindings.BUCKET.resumeMultipartUpload(key, multipartId ?? '')
    await stored.uploadPart(1, new Uint8Array(100))
    expect(refusal(await client.post(complete))).toEqual({
      status: 409,
      error: 'Conflict',
      message:
        'A part was sent again meanwhile. Send the parts again that got no answer, then complete again.',
    })
    await putPart(mine.urls[0], mp4Bytes(100))
    expect((await client.post(complete)).status).toBe(200)
  })

  it('is recorded twice, and only once again when it is sent alone', async () => {
    const mine = await openUpload(client, 10)
    const send = async () => putPart(mine.urls[0], mp4Bytes(10))
    const count = bindings.DB.prepare('SELECT count(*) AS n FROM upload_parts WHERE upload_id = ?')
    const rows = async () => count.bind(mine.uploadId).first<number>('n')
    await Promise.all([send(), send(), send()])
    await send()
    expect(await rows()).toBe(1)
  })
})

describe('pages of other origins', () => {
  const origin = 'https://app.example.com'

  async function preflight(from: string) {
    const headers = { Origin: from, 'Access-Control-Request-Method': 'PUT' }
    return send(new URL(urlOf(opened)).pathname, { method: 'OPTIONS', headers })
  }

  /** An isolate reads its settings once, so they are changed in place. */
  async function withOrigins<Value>(origins: string[], work: () => Promise<Value>): Promise<Value> {
    const settings = readSettings(bindings) as Settings & { uploadOrigins: ReadonlySet<string> }
    const before = settings.uploadOrigins
    settings.uploadOrigins = new Set(origins)
    try {
      return await work()
    } finally {
      settings.uploadOrigins = before
    }
  }

  it('may send parts and read every answer when they are configured', async () => {
    await withOrigins([origin], async () => {
      const asked = await preflight(origin)
      expect(asked.status).toBe(204)
      expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(origin)
      expect(asked.headers.get('Access-Control-Allow-Methods')).toBe('PUT')
      expect(asked.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type')
      const put = await putPart(urlOf(opened), mp4Bytes(100), { Origin: origin })
      expect(put.status).toBe(200)
      expect(put.headers.get('Access-Control-Allow-Origin')).toBe(origin)
      expect(put.headers.get('Access-Control-Expose-Headers')).toContain('ETag')
      expect(put.headers.get('Vary')).toBe('Origin')
      const refused = await putPart(urlOf(opened), mp4Bytes(1), { Origin: origin })
      expect(refused.status).toBe(400)
      expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(origin)
    })
  })

  it.each(['https://evil.example.com', 'https://app.example.com.evil.com', 'null', ''])(
    'may not when they are not: %j',
    async (from) => {
      await withOrigins([origin], async () => {
        const asked = await preflight(from)
        expect(asked.status).toBe(403)
        const put = await putPart(urlOf(opened), mp4Bytes(100), { Origin: from })
        expect(put.headers.has('Access-Control-Allow-Origin')).toBe(false)
      })
    },
  )

  it('may do nothing else, configured or not', async () => {
    await withOrigins(['*'], async () => {
      expect((await preflight('https://anybody.example')).status).toBe(204)
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
      const asked = await send('/v1/uploads', { method: 'OPTIONS', headers })
      expect(asked.status).toBe(401)
      expect(asked.headers.has('Access-Control-Allow-Origin')).toBe(false)
    })
  })
})

import { describe, expect, it } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { aClient } from '../../support/worker/accounts.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import { sweep } from '../../../worker/queue/sweep.ts'

const queue = standInQueue()
stopTheClock()

async function create(client: Client, key: string, body: unknown): Promise<Answer> {
  return client.post('/v1/videos', body, { 'Idempotency-Key': key })
}

async function videosOf(client: Client): Promise<number> {
  const { json } = await client.get('/v1/videos?limit=100')
  return (json['data'] as unknown[]).length
}

async function keptKeys(client: Client): Promise<number> {
  const statement = bindings.DB.prepare(
    'SELECT count(*) AS n FROM idempotency_keys WHERE key_id = ?',
  )
  return (await statement.bind(client.keyId).first<number>('n')) ?? 0
}

describe('POST /v1/videos with an Idempotency-Key', () => {
  it('answers the same request again with the same bytes, and makes one job', async () => {
    const client = await aClient()
    const first = await create(client, 'order-1', { fileUrl: sourceUrl })
    const second = await create(client, 'order-1', { fileUrl: sourceUrl })
    expect(first.status).toBe(202)
    expect(first.headers.has('Idempotent-Replayed')).toBe(false)
    expect(second.status).toBe(202)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('Location')).toBe(first.headers.get('Location'))
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await videosOf(client)).toBe(1)
    expect(queue.current.sent).toHaveLength(1)
  })

  it('makes one job from twenty requests at once', async () => {
    const client = await aClient()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(client, 'at-once', { fileUrl: sourceUrl })),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    expect(await videosOf(client)).toBe(1)
    expect(queue.current.sent).toHaveLength(1)
  })

  it('treats the same request in another order, or with a default spelled out, as the same', async () => {
    const client = await aClient()
    const first = await create(client, 'k', { fileUrl: sourceUrl, metadata: { a: 1, b: [2, 3] } })
    const second = await create(client, 'k', {
      metadata: { b: [2, 3], a: 1 },
      outputFormat: 'mp4',
      fileUrl: sourceUrl,
    })
    expect(second.text).toBe(first.text)
  })

  it('refuses another request with the same key, and creates no job for it', async () => {
    const client = await aClient()
    await create(client, 'k', { fileUrl: sourceUrl })
    const other = await create(client, 'k', { fileUrl: sourceUrl, removeNoise: true })
    expect(other.status).toBe(409)
    expect(other.json).toEqual({
      error: 'Conflict',
      message: 'This Idempotency-Key was used with another request.',
    })
    expect(await videosOf(client)).toBe(1)
  })

  it('does not use up the key on a refused body', async () => {
    const client = await aClient()
    expect((await create(client, 'k', { fileUrl: 'nonsense' })).status).toBe(400)
    expect(await keptKeys(client)).toBe(0)
    expect((await create(client, 'k', { fileUrl: sourceUrl })).status).toBe(202)
  })

  it('returns the stored job when the first answer was lost', async () => {
    const client = await aClient()
    queue.current.fault = new Error('the process died here')
    const lost = await create(client, 'k', { fileUrl: sourceUrl })
    queue.current.fault = undefined
    expect((await create(client, 'k', { fileUrl: sourceUrl })).text).toBe(lost.text)
    expect(await videosOf(client)).toBe(1)
  })

  it('keeps keys of different API keys apart', async () => {
    const [one, other] = [await aClient(), await aClient()]
    const first = await create(one, 'k', { fileUrl: sourceUrl })
    const second = await create(other, 'k', { fileUrl: sourceUrl })
    expect(second.status).toBe(202)
    expect(second.json['videoId']).not.toBe(first.json['videoId'])
  })

  it('takes 255 characters and no more, visible ASCII only, and never none', async () => {
    const client = await aClient()
    expect((await create(client, 'x'.repeat(255), { fileUrl: sourceUrl })).status).toBe(202)
    for (const key of ['x'.repeat(256), '', 'with space', 'sm\u00f8rrebr\u00f8d']) {
      const answer = await create(client, key, { fileUrl: sourceUrl })
      expect(answer.status).toBe(400)
      expect(answer.json['details']).toMatchObject([{ field: 'Idempotency-Key' }])
    }
  })

  it('forgets after a day: the key is free again, and the sweep removes what is left', async () => {
    const client = await aClient()
    const first = await create(client, 'k', { fileUrl: sourceUrl })
    advanceSeconds(86_399)
    expect((await create(client, 'k', { fileUrl: sourceUrl })).text).toBe(first.text)
    advanceSeconds(2)
    const later = await create(client, 'k', { fileUrl: sourceUrl })
    expect(later.json['videoId']).not.toBe(first.json['videoId'])
    advanceSeconds(86_401)
    await sweep(bindings, Date.now())
    expect(await keptKeys(client)).toBe(0)
  })

  it('says after a day what is wrong with a request, not that its key was used', async () => {
    const client = await aClient()
    await create(client, 'k', { fileUrl: sourceUrl })
    advanceSeconds(86_401)
    const missing = await create(client, 'k', { uploadId: `u_${'a'.repeat(32)}` })
    expect(missing.json).toEqual({ error: 'NotFound', message: 'Upload not found.' })
  })
})

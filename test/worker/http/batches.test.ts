import { describe, expect, it } from 'vitest'
import {
  batchAccepted,
  batchEvent,
  batchPage,
  batchWithVideos,
  type BatchAccepted,
} from '../../../worker/contract/batches/batch.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { tick } from '../../support/worker/tick.ts'
import { aReceivedUpload } from '../../support/worker/uploads.ts'
import { sourceUrl, start, videoRow } from '../../support/worker/videos.ts'
import { hooksUrl } from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

const path = '/v1/batches'
const clip = (n: number) => ({ fileUrl: `https://media.example.com/${n}.mp4` })
const clips = (count: number) => Array.from({ length: count }, (_, i) => clip(i))

async function make(client: Client, body: object): Promise<BatchAccepted> {
  const answer = await client.post(path, body)
  expect(answer.status, answer.text.slice(0, 2000)).toBe(202)
  return batchAccepted.parse(answer.json)
}

async function read(client: Client, batchId: string, query = '') {
  return batchWithVideos.parse((await client.get(`${path}/${batchId}${query}`)).json)
}

async function rows(table: string): Promise<number> {
  const row = await bindings.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>()
  return row?.n ?? 0
}

async function eventsOf(client: Client) {
  const { results } = await bindings.DB.prepare(
    "SELECT e.body, d.url FROM webhook_events AS e JOIN webhook_deliveries AS d ON d.event_id = e.id WHERE e.account_id = ? AND e.type = 'batch.ended'",
  )
    .bind(client.accountId)
    .all<{ body: string; url: string }>()
  return results.map(({ body, url }) => ({ url, event: batchEvent.parse(JSON.parse(body)) }))
}

async function cancel(client: Client, videoId = ''): Promise<Answer> {
  return client.post(`/v1/videos/${videoId}/cancel`)
}

async function succeed(videoId = ''): Promise<void> {
  const { id: jobId } = (await bindings.DB.prepare('SELECT id FROM jobs WHERE video_id = ?')
    .bind(videoId)
    .first<{ id: string }>()) ?? { id: '' }
  const { attempt } = await start({ videoId, jobId })
  await attempt.finish()
}

describe('POST /v1/batches', () => {
  it('creates nothing if one item is faulty, and names every fault by its item', async () => {
    const client = await aClient()
    await client.request('PUT', '/v1/presets/mine', { fields: { videoName: '{{title}}' } })
    const before = await rows('videos')
    const items = [
      { ...clip(0), values: { title: 'a' } },
      { ...clip(1), values: {} },
      { values: { title: 'c' } },
      { fileUrl: 'http://10.0.0.1/a.mp4', values: { title: 'd', other: 'x' } },
      'e',
      { ...clip(5), preset: 'captions', removeSilense: true },
      { ...clip(6), preset: 'nobody' },
    ]
    const answer = await client.post(path, { preset: 'mine', items })
    expect(answer.status).toBe(400)
    const details = answer.json['details'] as { field: string }[]
    expect(details.map(({ field }) => field)).toEqual([
      'items[1].values.title',
      'items[2].fileUrl',
      'items[3].values.other',
      'items[3].fileUrl',
      'items[4]',
      'items[5].removeSilense',
      'items[6].preset',
    ])
    expect(await rows('videos')).toBe(before)
    expect(await rows('batches')).toBe(0)
    expect(queue.current.sent).toEqual([])
  })

  it('is repeated with its Idempotency-Key, also after its preset has gone', async () => {
    const client = await aClient()
    const key = { 'Idempotency-Key': 'one' }
    await client.request('PUT', '/v1/presets/mine', { fields: { removeSilence: true } })
    const body = { preset: 'mine', items: clips(3) }
    const first = await client.post(path, body, key)
    await client.delete('/v1/presets/mine')
    const again = await client.post(path, body, key)
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await client.post(path, { items: clips(3) }, key)).status).toBe(409)
    expect(batchPage.parse((await client.get(path)).json).data).toHaveLength(1)
  })

  it('takes uploads, each once, and the source of an earlier video as often as wanted', async () => {
    const client = await aClient()
    const { uploadId } = await aReceivedUpload(client)
    await client.post(`/v1/uploads/${uploadId}/complete`)
    const twice = await client.post(path, {
      items: [{ uploadId }, { uploadId }, { uploadId: 'u_none' }],
    })
    expect(twice.json['details']).toMatchObject([{ field: 'items[1].uploadId' }])
    const missing = await client.post(path, { items: [{ uploadId }, { uploadId: 'u_none' }] })
    expect(missing.json['details']).toEqual([
      { field: 'items[1].uploadId', message: 'Upload not found.' },
    ])
    const { videoIds } = await make(client, { items: [clip(0), { uploadId }] })
    expect(await videoRow(videoIds[1] ?? '')).toMatchObject({ source: { uploadId } })
    expect((await client.post(path, { items: [{ uploadId }] })).json['details']).toMatchObject([
      { field: 'items[0].uploadId', message: expect.stringContaining('already used') as string },
    ])
    const items = Array.from({ length: 3 }, () => ({ sourceVideoId: videoIds[1] }))
    const shared = await make(client, { items: [...items, { sourceVideoId: videoIds[0] }] })
    expect(await videoRow(shared.videoIds[2] ?? '')).toMatchObject({
      source: { uploadId, field: 'sourceVideoId' },
    })
    expect(await videoRow(shared.videoIds[3] ?? '')).toMatchObject({
      source: null,
      request: { fileUrl: clip(0).fileUrl },
    })
  })

  it('loses no video when the queue takes nothing', async () => {
    const client = await aClient()
    queue.current.fault = new Error('the queue is down')
    const { videoIds } = await make(client, { items: clips(3) })
    queue.current.fault = undefined
    expect(queue.current.sent).toEqual([])
    advanceSeconds(180)
    await tick()
    expect(queue.current.sent).toHaveLength(videoIds.length)
  })

  it('counts twenty items as one request', async () => {
    const client = await aClient({ rateLimits: '100/3600' })
    await make(client, { items: clips(41) })
    const left = await client.post(path, { items: clips(1) })
    // The key made one request of 41 items, which count as three, and one of one item.
    expect(left.headers.get('X-RateLimit-Remaining')).toBe('96')
  })
})

describe('a batch', () => {
  it('ends with its last video, and tells it once, to its own address and to endpoints', async () => {
    const client = await aClient()
    const endpoint = 'https://hooks.example.com/all'
    await client.post('/v1/webhooks/endpoints', { url: endpoint, eventTypes: ['batch.ended'] })
    const { batchId, videoIds } = await make(client, { webhookUrl: hooksUrl, items: clips(3) })
    await cancel(client, videoIds[0])
    await succeed(videoIds[1])
    expect(await read(client, batchId)).toMatchObject({
      status: 'running',
      counts: { queued: 1, canceled: 1, succeeded: 1 },
    })
    expect(await eventsOf(client)).toEqual([])
    await cancel(client, videoIds[2])
    const ended = await read(client, batchId)
    const counts = { queued: 0, running: 0, succeeded: 1, failed: 0, canceled: 2, deleted: 0 }
    expect(ended).toMatchObject({ status: 'ended', counts })
    advanceSeconds(120)
    await tick()
    const told = await eventsOf(client)
    expect(told.map(({ url }) => url).sort()).toEqual([endpoint, hooksUrl])
    expect(told[0]?.event.data).toMatchObject({ batchId, status: 'ended', total: 3, counts })
    const { json } = await client.get('/v1/webhooks/deliveries')
    expect(json['data']).toMatchObject([{ type: 'batch.ended' }, { type: 'batch.ended' }])
  })

  it('is ended by the sweep if nobody was left to do so', async () => {
    const client = await aClient()
    const { batchId, videoIds } = await make(client, { webhookUrl: hooksUrl, items: clips(2) })
    // As the end of a video leaves it whose isolate dies right after.
    await bindings.DB.prepare(
      "UPDATE videos SET status = 'failed', finished_at = 1 WHERE batch_id = ?",
    )
      .bind(batchId)
      .run()
    expect(await read(client, batchId)).toMatchObject({ status: 'running', counts: { failed: 2 } })
    advanceSeconds(90)
    await tick()
    await tick()
    expect(await read(client, batchId)).toMatchObject({ status: 'ended', counts: { failed: 2 } })
    expect(await eventsOf(client)).toHaveLength(1)
    expect(videoIds).toHaveLength(2)
  })

  it('ends without videos that were deleted, and keeps its counts when others are deleted later', async () => {
    const client = await aClient()
    const { batchId, videoIds } = await make(client, { webhookUrl: hooksUrl, items: clips(3) })
    await cancel(client, videoIds[0])
    expect((await client.delete(`/v1/videos/${videoIds[0]}`)).status).toBe(204)
    await cancel(client, videoIds[1])
    await cancel(client, videoIds[2])
    await client.delete(`/v1/videos/${videoIds[1]}`)
    const ended = await read(client, batchId)
    expect(ended).toMatchObject({ status: 'ended', total: 3, counts: { canceled: 2, deleted: 1 } })
    expect(ended.videos.map(({ status }) => status)).toEqual(['deleted', 'deleted', 'canceled'])
    expect(await eventsOf(client)).toHaveLength(1)
  })

  it('is canceled in steps, and once', async () => {
    const client = await aClient({ rateLimits: '1000/60' })
    const { batchId, videoIds } = await make(client, { webhookUrl: hooksUrl, items: clips(60) })
    await succeed(videoIds[0])
    const answer = await client.post(`${path}/${batchId}/cancel`)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ status: 'running', counts: { canceled: 50, queued: 9 } })
    expect(queue.current.canceling).toEqual([batchId])
    await deliver({ kind: 'cancel-batch', batchId })
    expect(await read(client, batchId)).toMatchObject({
      status: 'ended',
      counts: { succeeded: 1, canceled: 59 },
    })
    expect((await client.post(`${path}/${batchId}/cancel`)).status).toBe(200)
    expect(await eventsOf(client)).toHaveLength(1)
  })

  it('goes on being canceled by the sweep if the queue loses it', async () => {
    const client = await aClient({ rateLimits: '1000/60' })
    const { batchId } = await make(client, { items: clips(55) })
    await client.post(`${path}/${batchId}/cancel`)
    advanceSeconds(90)
    await tick()
    expect(await read(client, batchId)).toMatchObject({
      status: 'ended',
      counts: { canceled: 55 },
    })
    const { batchId: ended, videoIds } = await make(client, { items: clips(1) })
    await cancel(client, videoIds[0])
    expect((await client.post(`${path}/${ended}/cancel`)).status).toBe(409)
  })

  it('lists its videos among all videos', async () => {
    const client = await aClient()
    const { batchId, videoIds } = await make(client, { items: clips(3) })
    await client.post('/v1/videos', { fileUrl: sourceUrl })
    await cancel(client, videoIds[1])
    const ids = async (query: string) =>
      ((await client.get(`/v1/videos?${query}`)).json['data'] as { videoId: string }[]).map(
        ({ videoId }) => videoId,
      )
    expect(new Set(await ids(`batchId=${batchId}`))).toEqual(new Set(videoIds))
    expect(await ids(`batchId=${batchId}&status=canceled`)).toEqual([videoIds[1]])
    expect((await client.get(`/v1/videos?batchId=${batchId}&archived=true`)).status).toBe(400)
  })
})

// The last one: the sweep of any later test would look after all of these jobs.
it('a large batch creates a thousand videos at once, in their order, each with its job and its message', async () => {
  const client = await aClient()
  await client.request('PUT', '/v1/presets/mine', {
    fields: {
      removeSilence: true,
      videoName: 'Clip {{n}}',
      elements: [{ type: 'text', text: '{{n}}' }],
    },
  })
  const items = clips(1000).map((item, n) => ({ ...item, values: { n } }))
  const { batchId, videoIds } = await make(client, { preset: 'mine', items })
  expect((await client.post(path, { items: clips(1001) })).status).toBe(400)
  expect(new Set(videoIds).size).toBe(1000)
  const last = await client.record(videoIds[999])
  expect(last).toMatchObject({
    ...{ batchId, preset: 'mine', status: 'queued', videoName: 'Clip 999' },
    ...{ fileUrl: clip(999).fileUrl, removeSilence: true, elements: [{ text: '999' }] },
  })
  const { sent } = queue.current
  expect(new Set(sent.map(({ body }) => body.jobId)).size).toBe(1000)
  expect(sent.filter(({ delaySeconds }) => delaySeconds === 0)).toHaveLength(100)
  expect(Math.max(...sent.map(({ delaySeconds }) => delaySeconds))).toBe(18)
  const page = await read(client, batchId, '?limit=2&cursor=998')
  expect(page).toMatchObject({ status: 'running', total: 1000, counts: { queued: 1000 } })
  expect(page.videos).toMatchObject([
    { item: 998, videoId: videoIds[998], videoName: 'Clip 998' },
    { item: 999, videoId: videoIds[999] },
  ])
  expect(page.nextCursor).toBeNull()
})

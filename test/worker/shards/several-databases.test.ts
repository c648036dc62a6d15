import { createScheduledController, runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { deriveKey } from '../../../worker/contract/signature.ts'
import { jobRunner } from '../../../worker/durable/job-runner.ts'
import { webhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import worker from '../../../worker/index.ts'
import { inShard } from '../../../worker/service/shards.ts'
import { administer, gateOf, sendAdmin } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { aClientIn, rowsOf, shards } from '../../support/worker/databases.ts'
import { killSlots, settleSlots } from '../../support/worker/dispatcher.ts'
import { deliver, standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { aReceivedUpload } from '../../support/worker/uploads.ts'
import { aFinishedVideo, aRunningVideo, aVideo } from '../../support/worker/videos.ts'
import { anOwner } from '../../support/worker/visitor.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }
const webhookUrl = 'https://hooks.example.com/spool'

async function tick(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
}

describe('an account in the second database', () => {
  it('has everything that it makes there, and nothing in another one', async () => {
    const client = await aClientIn(1)
    const { videoId, jobId } = await aFinishedVideo(standIns, client, { webhookUrl })
    await client.post('/v1/videos', { fileUrl: webhookUrl }, { 'Idempotency-Key': 'once' })
    await client.send('/v1/presets/mine', {
      method: 'PUT',
      body: JSON.stringify({ fields: { removeSilence: true } }),
      headers: { 'Content-Type': 'application/json' },
    })
    await client.post('/v1/webhooks/endpoints', { url: `${webhookUrl}/all` })
    await aReceivedUpload(client)
    expect(await rowsOf(client.accountId)).toEqual([
      {},
      {
        videos: 2,
        jobs: 2,
        webhook_events: 1,
        webhook_deliveries: 1,
        uploads: 1,
        presets: 1,
        webhook_endpoints: 1,
        usage_days: 1,
        usage_totals: 1,
        idempotency_keys: 1,
      },
      {},
    ])
    expect((await client.get(`/v1/videos/${videoId}`)).json).toMatchObject({ status: 'succeeded' })
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject({ videoId })
    const owner = await anOwner(client.accountId)
    expect((await owner.get(`/app/videos/${videoId}`)).status).toBe(200)
  })

  it('is not answered with the rows of an account elsewhere', async () => {
    const here = await aClientIn(1)
    for (const database of [0, 2]) {
      const other = await aClientIn(database)
      const { videoId, jobId } = await aVideo(other)
      expect((await here.get(`/v1/videos/${videoId}`)).status).toBe(404)
      expect((await here.get(`/v1/jobs/${jobId}`)).status).toBe(404)
      expect((await here.get('/v1/videos')).json['data']).toEqual([])
      expect((await here.post(`/v1/videos/${videoId}/cancel`)).status).toBe(404)
    }
  })

  it('is reached by reports, messages and alarms that name no account', async () => {
    const client = await aClientIn(1)
    const { jobId, videoId, attempt } = await aRunningVideo(standIns, client)
    await attempt.progress(50)
    advanceSeconds(61)
    await runDurableObjectAlarm(jobRunner(bindings, jobId))
    const row = shards[1]?.DB.prepare('SELECT status FROM videos WHERE id = ?').bind(videoId)
    expect(await row?.first()).toEqual({ status: 'queued' })
    // As the version before would have sent it.
    await deliver({ kind: 'dispatch', jobId, chain: 1 })
    await settleSlots()
    expect(await row?.first()).toEqual({ status: 'running' })
    await deliver({ kind: 'dispatch', jobId }, 'spool-jobs-dlq')
    const dead = shards[1]?.DB.prepare('SELECT dead_lettered_at AS at FROM jobs WHERE id = ?')
    expect(await dead?.bind(jobId).first('at')).toBe(Date.now())
  })

  it('is sent its webhooks, from a message that names the database or not', async () => {
    for (const shard of [1, undefined]) {
      const client = await aClientIn(1)
      const received: string[] = []
      media.current.answerElsewhere = (request: Request) => {
        received.push(request.headers.get('webhook-id') ?? '')
        return new Response()
      }
      await aFinishedVideo(standIns, client, { webhookUrl })
      const deliveryId = queue.current.deliveries.at(-1) ?? ''
      await deliver({ kind: 'deliver', deliveryId, ...(shard && { shard }) }, 'spool-webhooks')
      await webhookEndpoint(bindings, client.accountId, webhookUrl).settled()
      expect(received).toHaveLength(1)
      const { data } = (await client.get('/v1/webhooks/deliveries')).json as { data: object[] }
      expect(data).toMatchObject([{ deliveryId, status: 'succeeded' }])
    }
  })

  it('stands in the same line as all others, also after the line was read again', async () => {
    media.current.takeJob = () => new Response(null, { status: 503 })
    const made = []
    for (const database of [0, 1, 2]) {
      const video = await aVideo(await aClientIn(database))
      await queue.current.deliverNext(video.jobId)
      made.push(video)
      advanceSeconds(1)
    }
    await killSlots()
    const slots = bindings.DISPATCHER.getByName('slots') as unknown as {
      placeOf(jobId: string): Promise<{ position: number } | undefined>
    }
    const places = []
    for (const { jobId } of made) places.push((await slots.placeOf(jobId))?.position)
    expect(places).toEqual([1, 2, 3])
  })

  it('is looked after by the sweep', async () => {
    const client = await aClientIn(2)
    const { jobId } = await aVideo(client)
    queue.current.sent.length = 0
    advanceSeconds(180)
    await tick()
    expect(queue.current.sentFor(jobId)).toMatchObject([{ body: { jobId, shard: 2 } }])
  })
})

describe('the operator of several databases', () => {
  it('finds jobs and deliveries in all of them', async () => {
    const made = []
    for (const database of [0, 1, 2]) {
      made.push(await aFinishedVideo(standIns, await aClientIn(database), { webhookUrl }))
      advanceSeconds(1)
    }
    const { jobs } = await administer<'jobs.list'>({ command: 'jobs.list', limit: 3 })
    expect(jobs.map(({ jobId }) => jobId)).toEqual(made.map(({ jobId }) => jobId).reverse())
    for (const { jobId, videoId } of made) {
      const shown = await administer<'jobs.show'>({ command: 'jobs.show', jobId: videoId })
      expect(shown).toMatchObject({ jobId, status: 'succeeded' })
    }
    const list = { command: 'webhooks.list', limit: 3 } as const
    const { deliveries } = await administer<'webhooks.list'>(list)
    expect(deliveries.map((one) => one.videoId)).toEqual(made.map((one) => one.videoId).reverse())
  })

  it('sees sums of all, and the size of each', async () => {
    const token = await deriveKey(bindings.SPOOL_ADMIN_SECRET, 'metrics')
    const read = async () =>
      (await send('/metrics', { headers: { Authorization: `Bearer ${token}` } })).text
    const queuedIn = (text: string) => Number(/spool_jobs\{status="queued"\} (\d+)/.exec(text)?.[1])
    const before = queuedIn(await read())
    for (const database of [0, 1, 2]) await aVideo(await aClientIn(database))
    advanceSeconds(6)
    const after = await read()
    expect(queuedIn(after)).toBe(before + 3)
    for (const name of ['DB', 'DB_1', 'DB_2']) {
      expect(after).toMatch(new RegExp(`spool_database_bytes\\{database="${name}"\\} \\d{4,}`))
    }
    const { checks } = (await send('/health')).json as { checks: object }
    expect(Object.keys(checks)).toEqual(expect.arrayContaining(['database', 'database1']))
  })

  it('is told which databases there are when an account is to live in another one', async () => {
    const refused = await sendAdmin({ command: 'accounts.create', database: 3 })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.text).toContain('There is no database 3; this service has databases 0 to 2.')
  })
})

describe('a database that the service is not bound to', () => {
  it('is an error, and never an empty answer', async () => {
    const client = await aClientIn(1)
    await (await gateOf(client.apiKey)).changeShard(7)
    const answer = await client.get('/v1/videos')
    expect(answer).toMatchObject({ status: 500, json: { error: 'StorageError' } })
    expect(() => inShard(bindings, 7)).toThrow('Storage did not answer as it should')
  })
})

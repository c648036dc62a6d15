import { createScheduledController } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import type { AdminAnswer } from '../../../worker/contract/admin.ts'
import { webhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import worker from '../../../worker/index.ts'
import { administer, sendAdmin } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { aClientIn, rowsOf, shards } from '../../support/worker/databases.ts'
import { settleSlots } from '../../support/worker/dispatcher.ts'
import { dyingAt } from '../../support/worker/dying-database.ts'
import { deliver, standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { aFile, formOf, sendForm } from '../../support/worker/upload-form.ts'
import { mp4Bytes, openUpload, putPart } from '../../support/worker/uploads.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aVideo,
  finalText,
  type Created,
  type Started,
} from '../../support/worker/videos.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }
const webhookUrl = 'https://hooks.example.com/spool'

type Moved = AdminAnswer<'accounts.move'>

async function tick(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
}

const wish = (accountId: string, database: number) =>
  ({ command: 'accounts.move', accountId, database }) as const

async function move(accountId: string, database: number): Promise<Moved> {
  for (let asked = 0; asked < 100; asked++) {
    const answer = await administer<'accounts.move'>(wish(accountId, database))
    if (answer.outcome !== 'moving') return answer
  }
  throw new Error('the move did not end')
}

/** Until the rows where the account was are gone. */
async function clear(): Promise<void> {
  advanceSeconds(61)
  await tick()
}

/** Each webhook that arrives, with its address: an event may have several. */
function receiveWebhooks(): string[] {
  const received: string[] = []
  media.current.answerElsewhere = (request: Request) => {
    received.push(`${request.headers.get('webhook-id')} ${request.url}`)
    return new Response()
  }
  return received
}

type Busy = { ended: Started; running: Started; waiting: Created; uploadPart: string }

/** An account with something of everything. */
async function busyAccount(client: Client): Promise<Busy> {
  const ended = await aFinishedVideo(standIns, client, { webhookUrl })
  const running = await aRunningVideo(standIns, client, { webhookUrl })
  await running.attempt.progress(40)
  const waiting = await aVideo(client)
  await client.post('/v1/videos', { fileUrl: webhookUrl }, { 'Idempotency-Key': 'once' })
  await client.send('/v1/presets/mine', {
    method: 'PUT',
    body: JSON.stringify({ fields: { removeSilence: true } }),
    headers: { 'Content-Type': 'application/json' },
  })
  await client.post('/v1/webhooks/endpoints', { url: `${webhookUrl}/all` })
  const opened = await openUpload(client, 40)
  return { ended, running, waiting, uploadPart: opened.urls[0] ?? '' }
}

/** What a client sees of everything that it has. */
async function allOf(client: Client): Promise<unknown> {
  const paths = ['/v1/videos', '/v1/presets', '/v1/webhooks/endpoints']
  const answers = paths.map(async (path) => (await client.get(path)).json)
  const { json } = await client.get('/v1/webhooks/deliveries')
  const { days } = (await client.get('/v1/usage')).json
  return { lists: await Promise.all(answers), deliveries: json, days }
}

describe('moving an account', () => {
  it('brings every row to the other database, the same by count and hash, and leaves none', async () => {
    const client = await aClientIn(0)
    await busyAccount(client)
    const before = await allOf(client)
    const [old] = await rowsOf(client.accountId)
    const moved = await move(client.accountId, 1)
    expect(moved).toMatchObject({ outcome: 'moved', from: 0, to: 1 })
    expect(moved.tables?.['videos']?.rows).toBe(4)
    expect(moved.tables?.['videos']?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await allOf(client)).toEqual(before)
    await clear()
    expect((await move(client.accountId, 1)).finishedAt).not.toBeNull()
    const [left, there] = await rowsOf(client.accountId)
    expect(left).toEqual({})
    expect(there).toEqual(old)
  })

  it('goes there and back, and every place is the truth once', async () => {
    const client = await aClientIn(1)
    const { ended } = await busyAccount(client)
    const usage = (await client.get('/v1/usage')).json
    for (const database of [2, 0, 1]) {
      expect(await move(client.accountId, database)).toMatchObject({ outcome: 'moved' })
      await clear()
      expect((await client.get(`/v1/videos/${ended.videoId}`)).status).toBe(200)
      const rows = (await rowsOf(client.accountId)).map(({ videos }) => videos ?? 0)
      expect(rows).toEqual([0, 1, 2].map((one) => (one === database ? 4 : 0)))
    }
    expect((await client.get('/v1/usage')).json).toMatchObject({ days: usage['days'] })
  })

  it('lets running jobs end, waiting jobs begin and uploads go on, addressed as before the move', async () => {
    const received = receiveWebhooks()
    const client = await aClientIn(0)
    const { ended, running, waiting, uploadPart } = await busyAccount(client)
    const message = { kind: 'deliver', deliveryId: queue.current.deliveries.at(-1) }
    await move(client.accountId, 2)
    await clear()
    await running.attempt.progress(60)
    await running.attempt.succeed([await running.attempt.upload('final', finalText)])
    // Both as they were sent when the account lived in the first database.
    await deliver({ kind: 'dispatch', jobId: waiting.jobId, chain: 0 })
    await settleSlots()
    await deliver(message, 'spool-webhooks')
    await webhookEndpoint(bindings, client.accountId, webhookUrl).settled()
    const statusOf = async ({ videoId }: Created) =>
      (await client.get(`/v1/videos/${videoId}`)).json['status']
    expect([await statusOf(ended), await statusOf(running), await statusOf(waiting)]).toEqual([
      'succeeded',
      'succeeded',
      'running',
    ])
    expect((await putPart(uploadPart, new Uint8Array(40))).status).toBe(200)
    const again = { fileUrl: webhookUrl }
    const replayed = await client.post('/v1/videos', again, { 'Idempotency-Key': 'once' })
    expect(replayed).toMatchObject({ status: 202 })
    expect((await client.get('/v1/videos')).json['data']).toHaveLength(4)
    expect(new Set(received).size).toBe(received.length)
    expect((await client.post(`/v1/videos/${waiting.videoId}/cancel`)).status).toBe(200)
  })

  it('refuses changes for a moment with 503 and Retry-After, and reads go on', async () => {
    const client = await aClientIn(0)
    const { waiting } = await busyAccount(client)
    const close = "INSERT INTO account_places (account_id, state, token) VALUES (?, 'closed', 't')"
    await bindings.DB.prepare(close).bind(client.accountId).run()
    const refusals = [
      await client.post(`/v1/videos/${waiting.videoId}/cancel`),
      await client.patch(`/v1/videos/${waiting.videoId}`, { videoName: 'other' }),
      await client.post('/v1/webhooks/secret/rotate'),
    ]
    for (const { status, headers } of refusals.slice(0, 2)) {
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toBe('2')
    }
    expect((await client.get(`/v1/videos/${waiting.videoId}`)).status).toBe(200)
    await tick()
    await bindings.DB.prepare('DELETE FROM account_places WHERE account_id = ?')
      .bind(client.accountId)
      .run()
    expect((await client.post(`/v1/videos/${waiting.videoId}/cancel`)).status).toBe(200)
  })

  it('lets a create wait until the account is open again', async () => {
    const client = await aClientIn(0)
    const close = "INSERT INTO account_places (account_id, state, token) VALUES (?, 'closed', 't')"
    await bindings.DB.prepare(close).bind(client.accountId).run()
    const open = bindings.DB.prepare('DELETE FROM account_places WHERE account_id = ?')
    const waits = vi.spyOn(scheduler, 'wait').mockImplementation(async () => {
      if (waits.mock.calls.length === 3) await open.bind(client.accountId).run()
    })
    expect((await client.post('/v1/videos', { fileUrl: webhookUrl })).status).toBe(202)
    expect(waits).toHaveBeenCalledTimes(3)
  })

  it('takes a form that began to arrive before the account moved', async () => {
    const client = await aClientIn(0)
    const form = formOf([aFile(mp4Bytes(200_000))])
    let at = 0
    const body = new ReadableStream({
      async pull(controller) {
        if (at >= form.length) return controller.close()
        if (at > 0) await move(client.accountId, 1)
        controller.enqueue(form.slice(at, (at += 150_000)))
      },
    })
    const key = { 'Idempotency-Key': 'form' }
    const { status, json } = await sendForm(client, body, key)
    expect(status).toBe(202)
    expect(await client.get(`/v1/videos/${String(json['videoId'])}`)).toMatchObject({ status: 200 })
    expect((await sendForm(client, form, key)).json).toEqual(json)
    await clear()
    const videos = (await rowsOf(client.accountId)).map(({ videos }) => videos)
    expect(videos).toEqual([undefined, 1, undefined])
  })

  it('is given up if the copy differs, and the account stays where it was', async () => {
    const client = await aClientIn(0)
    await busyAccount(client)
    const spoil = `CREATE TRIGGER spoiled AFTER INSERT ON presets
      BEGIN UPDATE presets SET description = 'spoiled' WHERE rowid = NEW.rowid; END`
    await shards[1]?.DB.prepare(spoil).run()
    try {
      expect(await move(client.accountId, 1)).toMatchObject({ outcome: 'undone', from: 0 })
    } finally {
      await shards[1]?.DB.prepare('DROP TRIGGER spoiled').run()
    }
    expect((await rowsOf(client.accountId))[1]).toEqual({})
    expect((await client.post('/v1/videos', { fileUrl: webhookUrl })).status).toBe(202)
    expect(await move(client.accountId, 1)).toMatchObject({ outcome: 'moved' })
  })

  it('is refused for an account that one comparison could not read, before anything is closed', async () => {
    const client = await aClientIn(0)
    const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
      INSERT INTO usage_days (account_id, day) SELECT ?1, printf('%06d', i) FROM n`
    await bindings.DB.prepare(many).bind(client.accountId).run()
    const refused = await sendAdmin(wish(client.accountId, 1))
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.text).toContain('100001 rows in one table')
    expect((await client.post('/v1/videos', { fileUrl: webhookUrl })).status).toBe(202)
  })

  it('cannot go to a database that is not there, or to where the account is', async () => {
    const { accountId } = await aClientIn(1)
    expect(await sendAdmin(wish(accountId, 9))).toMatchObject({ status: 409 })
    expect(await sendAdmin(wish(accountId, 1))).toMatchObject({ status: 409 })
  })
})

/** Returns whether the move came as far as that call. */
async function survivesDeathAt(call: number): Promise<boolean> {
  const received = receiveWebhooks()
  const client = await aClientIn(0)
  const { running, waiting } = await busyAccount(client)
  const hasDied = await dyingAt(call, async () => sendAdmin(wish(client.accountId, 1)))
  // The lease of the dead one is over, and the sweep goes on.
  advanceSeconds(21)
  await tick()
  expect(await move(client.accountId, 1)).toMatchObject({ outcome: 'moved' })
  await running.attempt.succeed([await running.attempt.upload('final', finalText)])
  await webhookEndpoint(bindings, client.accountId, webhookUrl).settled()
  const { status } = await client.post(`/v1/videos/${waiting.videoId}/cancel`)
  await clear()
  const rows = (await rowsOf(client.accountId)).map(({ videos, jobs }) => [videos, jobs])
  expect({ call, rows, status }).toEqual({
    call,
    rows: [
      [undefined, undefined],
      [4, 4],
      [undefined, undefined],
    ],
    status: 200,
  })
  expect(new Set(received).size).toBe(received.length)
  return hasDied
}

describe('a move whose driver dies', () => {
  it('is continued by the sweep', async () => {
    await survivesDeathAt(25)
  })

  it('is continued from every single call of the database', { tags: 'campaign' }, async () => {
    let call = 1
    while (await survivesDeathAt(call)) call++
    // The last one was not reached, and there are dozens before it.
    expect(call).toBeGreaterThan(40)
  })
})

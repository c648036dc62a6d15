import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signWebhook } from '../../../../worker/service/webhooks/sign-webhook.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { aFinishedVideo } from '../../../support/worker/videos.ts'
import {
  anEvent,
  eventOf,
  hooksUrl,
  send,
  standInReceivers,
} from '../../../support/worker/webhooks.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()
const receivers = standInReceivers()
const path = '/v1/webhooks/deliveries'

let client: Client
beforeEach(async () => {
  client = await aClient()
})

async function redeliver(deliveryId: string) {
  return client.post(`${path}/${deliveryId}/redeliver`)
}

describe('redelivery', () => {
  it('sends the same id and body again, and logs it as a redelivery', async () => {
    const { deliveryId, webhookId } = await anEvent(client)
    await send(client, deliveryId)
    advanceSeconds(3600)
    const answer = await redeliver(deliveryId)
    expect(answer.status).toBe(202)
    expect(answer.json).toMatchObject({ deliveryId, webhookId, status: 'pending' })
    const row = await send(client, deliveryId)
    const [first, second, ...more] = receivers.current.received
    expect(more).toEqual([])
    expect(second?.headers.get('webhook-id')).toBe(webhookId)
    expect(second?.body).toBe(first?.body)
    expect(row).toMatchObject({
      status: 'succeeded',
      attempts: [{ redelivery: false }, { redelivery: true }],
    })
  })

  it('starts the whole schedule again after a 410', async () => {
    receivers.current.answer = (_, count) => new Response(null, { status: count === 1 ? 410 : 500 })
    const { deliveryId } = await anEvent(client)
    expect(await send(client, deliveryId)).toMatchObject({ status: 'stopped' })
    await redeliver(deliveryId)
    const row = await send(client, deliveryId)
    expect(row).toMatchObject({ status: 'pending', attemptCount: 2 })
    expect((row.dueAt ?? 0) - Date.now()).toBe(5000)
  })

  it('brings the next attempt forward while attempts are still to come', async () => {
    receivers.current.answer = (_, count) => new Response(null, { status: count === 1 ? 500 : 200 })
    const { deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    await redeliver(deliveryId)
    expect(await send(client, deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 2 })
  })

  it('starts the whole schedule again while the first attempt is on its way', async () => {
    const { deliveryId } = await anEvent(client)
    receivers.current.answer = async (_, count) => {
      if (count === 1) {
        advanceSeconds(1)
        await redeliver(deliveryId)
      }
      return new Response(null, { status: 500 })
    }
    await send(client, deliveryId)
    const row = await send(client, deliveryId)
    expect(row).toMatchObject({
      status: 'pending',
      attempts: [{ redelivery: false }, { redelivery: true }],
    })
    expect((row.dueAt ?? 0) - Date.now()).toBe(5000)
  })

  it('starts it again also if the clock that it was asked by is behind', async () => {
    const { deliveryId } = await anEvent(client)
    receivers.current.answer = async (_, count) => {
      if (count === 1) {
        advanceSeconds(-10)
        await redeliver(deliveryId)
        advanceSeconds(10)
      }
      return new Response(null, { status: 500 })
    }
    await send(client, deliveryId)
    const row = await send(client, deliveryId)
    expect(row).toMatchObject({ status: 'pending', roundStart: 1, attemptCount: 2 })
  })

  it('happens once if it is requested twice at once', async () => {
    const { deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    const answers = await Promise.all([redeliver(deliveryId), redeliver(deliveryId)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    await send(client, deliveryId)
    await send(client, deliveryId)
    expect(receivers.current.received).toHaveLength(2)
  })

  it('signs links again once those in the event have expired, and changes nothing else', async () => {
    const { videoId } = await aFinishedVideo(client, { webhookUrl: hooksUrl })
    const { deliveryId } = await eventOf(videoId)
    await send(client, deliveryId)
    advanceSeconds(8 * 86_400)
    await redeliver(deliveryId)
    await send(client, deliveryId)
    const [before, after] = receivers.current.received.map(
      ({ body }) => JSON.parse(body) as { data: Record<string, unknown> },
    )
    expect(after?.data['finalVideoUrl']).not.toBe(before?.data['finalVideoUrl'])
    expect(Date.parse(String(after?.data['linksExpireAt']))).toBeGreaterThan(Date.now())
    const { finalVideoUrl, linksExpireAt } = before?.data ?? {}
    expect({ ...after, data: { ...after?.data, finalVideoUrl, linksExpireAt } }).toEqual(before)
  })

  it('sends the event of a deleted video unchanged', async () => {
    const { videoId } = await aFinishedVideo(client, { webhookUrl: hooksUrl })
    const { deliveryId } = await eventOf(videoId)
    await send(client, deliveryId)
    await client.delete(`/v1/videos/${videoId}`)
    advanceSeconds(8 * 86_400)
    expect((await redeliver(deliveryId)).status).toBe(202)
    await send(client, deliveryId)
    const [before, after] = receivers.current.received
    expect(after?.body).toBe(before?.body)
  })
})

describe('listDeliveries', () => {
  it('goes through all of them, newest first, page by page', async () => {
    const made: string[] = []
    for (let i = 0; i < 3; i++) {
      made.unshift((await anEvent(client)).deliveryId)
      advanceSeconds(1)
    }
    const idsOf = (json: Record<string, unknown>) =>
      (json['data'] as { deliveryId: string }[]).map(({ deliveryId }) => deliveryId)
    const first = (await client.get(`${path}?limit=2`)).json
    const second = (await client.get(`${path}?limit=2&cursor=${String(first['nextCursor'])}`)).json
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made)
    expect(second['nextCursor']).toBeNull()
  })

  it('reads none of the bodies, which may be a hundred megabytes together', async () => {
    const { videoId, deliveryId } = await anEvent(client)
    await bindings.DB.prepare(`UPDATE webhook_events SET body = json_set(body, '$.note', ?1)`)
      .bind('a long body')
      .run()
    const read = vi.spyOn(prototypeOf(bindings.DB.prepare('SELECT 1')), 'raw')
    expect((await client.get(path)).json).toMatchObject({ data: [{ deliveryId, videoId }] })
    const rows = await Promise.all(
      read.mock.results.map(async ({ value }) => (await value) as unknown),
    )
    read.mockRestore()
    expect(JSON.stringify(rows)).toContain(deliveryId)
    expect(JSON.stringify(rows)).not.toContain('a long body')
  })

  it('shows those of one video', async () => {
    await anEvent(client)
    const { videoId, deliveryId } = await anEvent(client)
    const { json } = await client.get(`${path}?videoId=${videoId}`)
    expect(json).toMatchObject({ data: [{ deliveryId, videoId }], nextCursor: null })
  })
})

it('the secret signs together with the previous one for 24 hours, then alone', async () => {
  const old = String((await client.get('/v1/webhooks/secret')).json['secret'])
  const { json } = await client.post('/v1/webhooks/secret/rotate')
  const fresh = String(json['secret'])
  expect(json['previousSecret']).toBe(old)
  const before = await anEvent(client)
  await send(client, before.deliveryId)
  advanceSeconds(86_401)
  const after = await anEvent(client)
  await send(client, after.deliveryId)
  const signed = async (index: number, secrets: string[]) => {
    const { headers, body } = receivers.current.received[index] ?? {}
    const timestampSeconds = Number(headers?.get('webhook-timestamp'))
    const id = headers?.get('webhook-id') ?? ''
    const expected = await signWebhook(secrets, { id, timestampSeconds, body: body ?? '' })
    expect(headers?.get('webhook-signature')).toBe(expected)
  }
  await signed(0, [fresh, old])
  await signed(1, [fresh])
  expect((await client.get('/v1/webhooks/secret')).json).toEqual({
    secret: fresh,
    previousSecret: null,
    previousExpiresAt: null,
  })
})

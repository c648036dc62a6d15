import { createScheduledController, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { webhookLimits } from '../../../worker/contract/limits.ts'
import worker from '../../../worker/index.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { aRunningVideo, eventRows } from '../../support/worker/videos.ts'
import {
  anEvent,
  deliveryRow,
  endpointOf,
  eventOf,
  handOut,
  hooksUrl,
  send,
  standInReceivers,
} from '../../support/worker/webhooks.ts'
import { eventually } from '../../support/node/eventually.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

async function tick(client: Client): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
  await endpointOf(client).settled()
}

let client: Client
beforeAll(async () => {
  client = await aClient()
  await tick(client)
})
beforeEach(async () => {
  client = await aClient()
})

describe('sweepWebhooks', () => {
  it('hands over deliveries that the queue has refused, two minutes later', async () => {
    queue.current.fault = new Error('queue is down')
    const { videoId } = await anEvent(client).catch(() => ({ videoId: '' }))
    queue.current.fault = undefined
    const { deliveryId } = await eventOf(videoId)
    advanceSeconds(119)
    await tick(client)
    expect(receivers.current.received).toEqual([])
    advanceSeconds(1)
    await tick(client)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 1 })
  })

  it('hands over deliveries for which an endpoint had no room, once it has room', async () => {
    const { deliveryId } = await anEvent(client)
    const later = Date.now() + 86_400_000
    const offered = await runInDurableObject(endpointOf(client), async (endpoint, { storage }) => {
      await endpoint.offer('dlv_first', later)
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ${webhookLimits.waiting})
         INSERT INTO deliveries (id, due_at) SELECT 'dlv_' || i, ? FROM n`,
        later,
      )
      return [
        await endpoint.offer('dlv_last', later),
        await endpoint.offer('dlv_one_too_many', later),
        await endpoint.offer('dlv_first', later),
      ]
    })
    expect(offered).toEqual(['taken', 'full', 'held'])
    await handOut(deliveryId)
    await tick(client)
    expect(receivers.current.received).toEqual([])
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attemptCount: 0 })
    await runInDurableObject(endpointOf(client), (_, { storage }) => {
      storage.sql.exec("DELETE FROM deliveries WHERE id = 'dlv_last'")
    })
    advanceSeconds(120)
    await tick(client)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 1 })
  })

  it('replaces an alarm that has failed for good', async () => {
    receivers.current.answer = (_, count) => new Response(null, { status: count === 1 ? 500 : 200 })
    const { deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    await runInDurableObject(endpointOf(client), (_, state) => state.storage.deleteAlarm())
    const { sweepAfter } = await deliveryRow(deliveryId)
    advanceSeconds((sweepAfter - Date.now()) / 1000)
    await tick(client)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 2 })
  })

  it('keeps the place in the schedule when the object has lost its memory', async () => {
    receivers.current.answer = () => new Response(null, { status: 500 })
    const { deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    await runInDurableObject(endpointOf(client), async (_, { storage }) => {
      await storage.deleteAlarm()
      storage.sql.exec('DELETE FROM deliveries')
    })
    advanceSeconds(126)
    await tick(client)
    const row = await deliveryRow(deliveryId)
    expect(row.attemptCount).toBe(2)
    expect((row.dueAt ?? 0) - Date.now()).toBe(300_000)
  })

  it('ends deliveries as exhausted that are still pending a week after their schedule', async () => {
    const { deliveryId } = await anEvent(client)
    advanceSeconds(9 * 86_400)
    await tick(client)
    expect(receivers.current.received).toEqual([])
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'exhausted', dueAt: null })
  })

  it('forgets deliveries and events after 30 days, not before', async () => {
    const { deliveryId, videoId } = await anEvent(client)
    await send(client, deliveryId)
    advanceSeconds(30 * 86_400 - 60)
    await tick(client)
    expect(await eventRows(videoId)).toHaveLength(1)
    advanceSeconds(120)
    await tick(client)
    expect(await eventRows(videoId)).toEqual([])
    await expect(deliveryRow(deliveryId)).rejects.toThrow('there is no')
  })
})

describe('the queue of webhooks', () => {
  it('leaves a dead letter to the sweep, pending', async () => {
    const { deliveryId } = await anEvent(client)
    const prepare = vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
      throw new Error('D1 is down')
    })
    const message = { kind: 'deliver', deliveryId }
    expect(await deliver(message, 'spool-webhooks')).toMatchObject({ retried: true })
    expect(await deliver(message, 'spool-webhooks-dlq')).toMatchObject({ acknowledged: true })
    prepare.mockRestore()
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending' })
    advanceSeconds(120)
    await tick(client)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  it('sends a delivery once even if its message comes twice', async () => {
    const { deliveryId } = await anEvent(client)
    await Promise.all([handOut(deliveryId), handOut(deliveryId)])
    await send(client, deliveryId)
    expect(receivers.current.received).toHaveLength(1)
  })

  it('does not let a dead receiver with 1,000 events keep another account waiting', async () => {
    receivers.current.answer = async () => new Promise(() => undefined)
    const { webhookId } = await anEvent(client)
    await bindings.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO webhook_deliveries (id, event_id, account_id, url, status, sweep_after, created_at, round_at, due_at)
       SELECT 'dlv_' || i || 'x' || ?, ?, ?, 'https://hooks.example.com/', 'pending', ?, ?, ?, ? FROM n`,
    )
      .bind(webhookId.slice(4), webhookId, client.accountId, ...Array<number>(4).fill(Date.now()))
      .run()
    await runInDurableObject(endpointOf(client), async (endpoint) => {
      for (let i = 1; i <= 1000; i++) {
        await endpoint.offer(`dlv_${i}x${webhookId.slice(4)}`, Date.now())
      }
    })
    await eventually(() => expect(receivers.current.received).toHaveLength(4))
    const waiting = await runInDurableObject(endpointOf(client), (_, { storage }) =>
      storage.sql.exec('SELECT count(*) AS n FROM deliveries').one(),
    )
    expect(waiting).toEqual({ n: 1000 })

    const other = await aClient()
    const { deliveryId } = await anEvent(other)
    receivers.current.answer = () => new Response('ok')
    expect(await send(other, deliveryId)).toMatchObject({ status: 'succeeded' })
    expect(receivers.current.received).toHaveLength(5)
  })
})

it('a video that ends has one event, however often its media worker says so', async () => {
  const { videoId, attempt } = await aRunningVideo(client, {
    webhookUrl: hooksUrl,
  })
  await attempt.fail({ retryable: false })
  await attempt.fail({ retryable: false })
  await client.post(`/v1/videos/${videoId}/cancel`)
  expect((await eventRows(videoId)).map(({ type }) => type)).toEqual(['video.failed'])
  const { deliveryId } = await eventOf(videoId)
  expect(queue.current.deliveries).toEqual([deliveryId])
  await send(client, deliveryId)
  expect(JSON.parse(receivers.current.received[0]?.body ?? '')).toMatchObject({
    type: 'video.failed',
    data: { videoId, status: 'failed', webhookUrl: hooksUrl },
  })
})

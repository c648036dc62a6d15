import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signWebhook } from '../../../worker/service/webhooks/sign-webhook.ts'
import { findAccount } from '../../../worker/store/people/accounts.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { videoRow } from '../../support/worker/videos.ts'
import { watchCalls } from '../../support/worker/platform/watch-calls.ts'
import {
  anEvent,
  deliveryRow,
  endpointOf,
  handOut,
  hang,
  letTimeRunOut,
  send,
  standInReceivers,
  wait,
} from '../../support/worker/webhooks.ts'
import { eventually } from '../../support/node/eventually.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

let client: Client
beforeEach(async () => {
  client = await aClient()
})

const answers = (...statuses: number[]) => {
  receivers.current.answer = (_, count) =>
    new Response(`answer ${count}`, { status: statuses[count - 1] ?? statuses.at(-1) ?? 200 })
}

describe('a webhook', () => {
  it('is sent once to a receiver that says 200, signed, and logged', async () => {
    const { deliveryId, webhookId, videoId } = await anEvent(client)
    expect(queue.current.deliveries).toEqual([deliveryId])
    const row = await send(client, deliveryId)
    await wait(client, 100_000)
    expect(receivers.current.received).toHaveLength(1)
    const [
      { headers, body, redirect, at } = { headers: new Headers(), body: '', redirect: '', at: 0 },
    ] = receivers.current.received
    expect(redirect).toBe('manual')
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(headers.get('webhook-id')).toBe(webhookId)
    expect(headers.get('webhook-timestamp')).toBe(String(Math.floor(at / 1000)))
    const secret = (await findAccount(bindings.DB, client.accountId))?.webhookSecret ?? ''
    const signed = { id: webhookId, timestampSeconds: Math.floor(at / 1000), body }
    expect(headers.get('webhook-signature')).toBe(await signWebhook([secret], signed))
    expect(JSON.parse(body)).toMatchObject({ type: 'video.canceled', data: { videoId } })
    expect(row).toMatchObject({ status: 'succeeded', attemptCount: 1, dueAt: null })
    expect(row.finishedAt).not.toBeNull()
    expect(row.attempts).toEqual([
      {
        at: new Date(at).toISOString(),
        statusCode: 200,
        durationMs: 0,
        error: null,
        response: 'ok',
        redelivery: false,
      },
    ])
  })

  it('is tried again after 5 s, 5 min and 30 min, the same except for time and signature', async () => {
    answers(500, 500, 500, 200)
    const { deliveryId, webhookId } = await anEvent(client)
    await send(client, deliveryId)
    for (const seconds of [5, 300, 1800]) await wait(client, seconds)
    const { received } = receivers.current
    const first = received[0]?.at ?? 0
    expect(received.map(({ at }) => (at - first) / 1000)).toEqual([0, 5, 305, 2105])
    expect(new Set(received.map(({ headers }) => headers.get('webhook-id')))).toEqual(
      new Set([webhookId]),
    )
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers.get('webhook-timestamp'))).size).toBe(4)
    expect(new Set(received.map(({ headers }) => headers.get('webhook-signature'))).size).toBe(4)
    const row = await deliveryRow(deliveryId)
    expect(row).toMatchObject({ status: 'succeeded', attemptCount: 4 })
    expect(row.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [500, 'Answered 500; only 2xx means received'],
      [500, 'Answered 500; only 2xx means received'],
      [500, 'Answered 500; only 2xx means received'],
      [200, null],
    ])
  })

  it('waits a little longer than the schedule says, so that receivers are not all called at once', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    answers(500)
    const { deliveryId } = await anEvent(client)
    const { dueAt } = await send(client, deliveryId)
    expect((dueAt ?? 0) - Date.now()).toBe(5250)
  })

  it('is not tried before it is due if its message came twice, and the second was read before the first attempt', async () => {
    answers(500, 200)
    const { deliveryId } = await anEvent(client)
    const { dueAt } = await deliveryRow(deliveryId)
    await send(client, deliveryId)
    await endpointOf(client).offer(deliveryId, dueAt ?? 0)
    await wait(client, 0)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attemptCount: 1 })
    await wait(client, 5)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 2 })
  })

  it('is given up after 8 attempts of 15 s; its video has still succeeded', async () => {
    const given = letTimeRunOut()
    receivers.current.answer = hang
    const { deliveryId, videoId } = await anEvent(client)
    await send(client, deliveryId)
    for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 100_000]) {
      await wait(client, seconds)
    }
    expect(given).toEqual(Array(8).fill(15_000))
    const row = await deliveryRow(deliveryId)
    expect(row).toMatchObject({ status: 'exhausted', attemptCount: 8, dueAt: null })
    expect(row.attempts[0]).toMatchObject({
      statusCode: null,
      error: 'No answer within 15 seconds',
    })
    expect(await videoRow(videoId)).toMatchObject({ status: 'canceled' })
  })

  it.each([301, 302, 303, 307, 308])('is not sent on by a %d', async (status) => {
    receivers.current.answer = () =>
      new Response(null, { status, headers: { Location: 'https://other.example.com/' } })
    const { deliveryId } = await anEvent(client)
    const row = await send(client, deliveryId)
    expect(receivers.current.received.map(({ url }) => url)).toEqual([
      'https://hooks.example.com/spool',
    ])
    expect(row).toMatchObject({ status: 'pending' })
    expect(row.attempts).toMatchObject([
      { statusCode: status, error: `Answered ${status}: redirects are not followed` },
    ])
  })

  it.each([
    ['seconds', () => '120', 120],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 120],
    ['longer than the longest wait', () => '999999', 36_000],
    ['less than the schedule', () => '1', 5],
    ['what nobody can read', () => '-5', 5],
  ])('waits as long as a Retry-After of %s asks', async (_, header, seconds) => {
    receivers.current.answer = () =>
      new Response(null, { status: 503, headers: { 'Retry-After': header() } })
    const { deliveryId } = await anEvent(client)
    const { dueAt } = await send(client, deliveryId)
    // A date in a header has no milliseconds.
    expect(Math.round(((dueAt ?? 0) - Date.now()) / 1000 + 0.499)).toBe(seconds)
  })

  it('is sent again when the connection breaks, without telling how it broke', async () => {
    receivers.current.answer = (_, count) => {
      if (count === 1) throw new Error('connect ECONNREFUSED 10.0.0.7:443')
      return new Response('ok')
    }
    const { deliveryId, webhookId } = await anEvent(client)
    expect((await send(client, deliveryId)).attempts).toMatchObject([
      { statusCode: null, error: 'The connection failed, or was closed before an answer' },
    ])
    await wait(client, 5)
    const ids = receivers.current.received.map(({ headers }) => headers.get('webhook-id'))
    expect(ids).toEqual([webhookId, webhookId])
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  it('reads 64 KiB of an endless answer, keeps one, and hangs up', async () => {
    let sent = 0
    let closed = false
    receivers.current.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 4096
            controller.enqueue(new TextEncoder().encode('\u0000' + 'x'.repeat(4095)))
          },
          cancel() {
            closed = true
          },
        }),
      )
    const { deliveryId } = await anEvent(client)
    const row = await send(client, deliveryId)
    expect(row).toMatchObject({ status: 'succeeded' })
    expect(row.attempts[0]?.response).toBe('\ufffd' + 'x'.repeat(1023))
    expect(closed).toBe(true)
    expect(sent).toBeLessThanOrEqual(65_536 + 2 * 4096)
  })

  it('counts as received if the status arrived but not the rest of the answer', async () => {
    letTimeRunOut()
    receivers.current.answer = () => new Response(new ReadableStream())
    const { deliveryId } = await anEvent(client)
    expect(await send(client, deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  it('is vetted again at every attempt', async () => {
    const { deliveryId } = await anEvent(client)
    await bindings.DB.prepare('UPDATE webhook_deliveries SET url = ? WHERE id = ?')
      .bind('http://169.254.169.254/latest/meta-data', deliveryId)
      .run()
    const row = await send(client, deliveryId, 'http://169.254.169.254')
    expect(receivers.current.received).toEqual([])
    expect(row).toMatchObject({ status: 'pending' })
    expect(row.attempts).toMatchObject([
      { statusCode: null, error: expect.stringMatching(/^The address is not allowed: /) as string },
    ])
  })
})

describe('an endpoint', () => {
  it('has four deliveries in flight, and sets its alarm before the first of them', async () => {
    const events = []
    for (let i = 0; i < 6; i++) events.push(await anEvent(client))
    const order: string[] = []
    await runInDurableObject(endpointOf(client), (_, { storage }) => {
      watchCalls(storage, 'setAlarm', (_, [at]) => {
        order.push(`alarm in ${(Number(at) - Date.now()) / 1000} s`)
      })
    })
    receivers.current.answer = async () => {
      order.push('fetch')
      return new Promise(() => undefined)
    }
    for (const { deliveryId } of events) await handOut(deliveryId)
    await eventually(() => expect(receivers.current.received).toHaveLength(4))
    expect(order.slice(0, 2)).toEqual(['alarm in 30 s', 'fetch'])
    expect(new Set(order)).toEqual(new Set(['alarm in 30 s', 'fetch']))
    expect(order.filter((what) => what === 'fetch')).toHaveLength(4)
  })

  it('continues after its process was killed with four in flight', async () => {
    receivers.current.answer = async () => new Promise(() => undefined)
    const events = []
    for (let i = 0; i < 6; i++) events.push(await anEvent(client))
    for (const { deliveryId } of events) await handOut(deliveryId)
    await eventually(() => expect(receivers.current.received).toHaveLength(4))
    await evictDurableObject(endpointOf(client))
    answers(200)
    await wait(client, 30)
    await wait(client, 0)
    const rows = await Promise.all(events.map(({ deliveryId }) => deliveryRow(deliveryId)))
    expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('succeeded'))
    expect(rows[0]?.attempts).toMatchObject([
      { statusCode: null, error: 'Interrupted: it is not known whether it arrived' },
      { statusCode: 200 },
    ])
    expect(rows[5]?.attempts).toHaveLength(1)
  })

  it('keeps nothing once all is delivered', async () => {
    const { deliveryId } = await anEvent(client)
    await send(client, deliveryId)
    const left = await runInDurableObject(endpointOf(client), async (_, state) => ({
      tables: state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name LIKE 'deliveries%'")
        .toArray(),
      alarm: await state.storage.getAlarm(),
    }))
    expect(left).toEqual({ tables: [], alarm: null })
    const next = await anEvent(client)
    expect(await send(client, next.deliveryId)).toMatchObject({ status: 'succeeded' })
  })
})

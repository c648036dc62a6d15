import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signWebhook } from '../../../worker/service/webhooks/sign-webhook.ts'
import { WebhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import { aClient } from '../../support/worker/accounts.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import {
  deliveryRow,
  hooksUrl,
  send,
  standInReceivers,
  wait,
} from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const receivers = standInReceivers()

let client: Client
beforeEach(async () => {
  client = await aClient()
})

async function test(): Promise<Answer> {
  return client.post('/v1/webhooks/test', { webhookUrl: hooksUrl })
}

describe('POST /v1/webhooks/test', () => {
  it('sends a signed event without a video, and returns what the receiver answered', async () => {
    const answer = await test()
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      type: 'webhook.test',
      videoId: null,
      url: hooksUrl,
      status: 'succeeded',
      attempts: [{ statusCode: 200, error: null, response: 'ok', redelivery: false }],
      nextAttemptAt: null,
    })
    const [received, ...more] = receivers.current.received
    expect(more).toEqual([])
    const { body = '', headers } = received ?? { headers: new Headers() }
    expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test' })
    const { json } = await client.get('/v1/webhooks/secret')
    const id = headers.get('webhook-id') ?? ''
    expect(id).toBe(answer.json['webhookId'])
    const timestampSeconds = Number(headers.get('webhook-timestamp'))
    expect(headers.get('webhook-signature')).toBe(
      await signWebhook([String(json['secret'])], { id, timestampSeconds, body }),
    )
  })

  it('is in the log of deliveries, but not among those of a video', async () => {
    const { json } = await test()
    const list = await client.get('/v1/webhooks/deliveries')
    expect(list.json['data']).toEqual([json])
  })

  it('is tried once, and shows the answer of a receiver that refuses it', async () => {
    receivers.current.answer = () => new Response('who are you?', { status: 401 })
    const answer = await test()
    expect(answer.json).toMatchObject({
      status: 'exhausted',
      attempts: [{ statusCode: 401, response: 'who are you?' }],
      nextAttemptAt: null,
    })
    await wait(client, 100_000)
    expect(receivers.current.received).toHaveLength(1)
  })

  it('goes through the queue if its endpoint does not answer, and is shown as pending', async () => {
    const offered = vi.spyOn(WebhookEndpoint.prototype, 'offerAndWait')
    offered.mockRejectedValueOnce(new Error('the object is being moved'))
    const { json } = await test()
    expect(json).toMatchObject({ status: 'pending', attempts: [] })
    const deliveryId = String(json['deliveryId'])
    expect(queue.current.deliveries).toEqual([deliveryId])
    expect(await send(client, deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  it('can be delivered again, once', async () => {
    receivers.current.answer = () => new Response('', { status: 500 })
    const deliveryId = String((await test()).json['deliveryId'])
    const again = await client.post(`/v1/webhooks/deliveries/${deliveryId}/redeliver`)
    expect(again.status).toBe(202)
    expect(await send(client, deliveryId)).toMatchObject({ status: 'exhausted', attemptCount: 2 })
    expect((await deliveryRow(deliveryId)).attempts).toHaveLength(2)
  })
})

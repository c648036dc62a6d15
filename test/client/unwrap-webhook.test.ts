import { describe, expect, it } from 'vitest'
import { WebhookVerificationError } from '../../client/src/errors.ts'
import { Spool } from '../../client/src/spool.ts'
import { unwrapWebhook } from '../../client/src/webhook/unwrap-webhook.ts'
import { verifications } from '../support/node/webhooks/webhook-vectors.ts'

describe('unwrapWebhook', () => {
  it('believes only what is genuine', async () => {
    const verdicts = verifications.map(async ({ name, secret, headers, body, now }) => {
      const options = { now: now * 1000 }
      return unwrapWebhook(body, headers, secret, options).then(
        (event): [string, unknown] => [name, event],
        (error: unknown): [string, unknown] => [
          name,
          error instanceof WebhookVerificationError ? 'refused' : error,
        ],
      )
    })
    const expected = verifications.map(({ name, good, body }) => [
      name,
      good ? (JSON.parse(body) as unknown) : 'refused',
    ])
    expect(await Promise.all(verdicts)).toEqual(expected)
  })

  it('takes the headers of a Request and those of Node, and the body as bytes', async () => {
    const [genuine] = verifications
    if (!genuine) throw new Error('no vector')
    const { body, headers, secret } = genuine
    const now = genuine.now * 1000
    const bytes = new TextEncoder().encode(body)
    const event = JSON.parse(body) as unknown
    expect(await unwrapWebhook(bytes, new Headers(headers), secret, { now })).toEqual(event)
    const lists = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])
    const asLists = Object.fromEntries(lists) as Record<string, string[]>
    expect(await unwrapWebhook(bytes, asLists, secret, { now })).toEqual(event)
    const spool = new Spool({ apiKey: 'a', baseUrl: 'http://127.0.0.1', webhookSecret: secret })
    expect(await spool.webhooks.unwrap(body, headers, { now })).toEqual(event)
  })
})

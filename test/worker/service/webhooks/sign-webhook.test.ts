import { describe, expect, it } from 'vitest'
import { mintWebhookSecret, signWebhook } from '../../../../worker/service/webhooks/sign-webhook.ts'
import { webhookVectors } from '../../../support/node/webhook-vectors.ts'

describe('signWebhook', () => {
  it.each(webhookVectors)('agrees with the vector: $name', async (vector) => {
    const { id, timestampSeconds, body, secrets, header } = vector
    expect(await signWebhook(secrets, { id, timestampSeconds, body })).toBe(header)
  })

  it('takes a secret with and without its prefix', async () => {
    const message = { id: 'msg_1', timestampSeconds: 1, body: '' }
    const withPrefix = await signWebhook(['whsec_AAECAwQFBgcICQoLDA0ODw=='], message)
    expect(await signWebhook(['AAECAwQFBgcICQoLDA0ODw=='], message)).toBe(withPrefix)
  })

  it('refuses a secret that is only a prefix', async () => {
    const message = { id: 'msg_1', timestampSeconds: 1, body: '' }
    await expect(signWebhook(['whsec_'], message)).rejects.toThrow('empty')
  })
})

it('mintWebhookSecret makes whsec_ and 32 bytes in base64, never the same', () => {
  const secret = mintWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(mintWebhookSecret()).not.toBe(secret)
})

import { describe, expect, it } from 'vitest'
import { mintApiKey } from '../../../worker/contract/api-key.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Answer } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'

stopTheClock()

async function guess(address: string): Promise<Answer> {
  return send('/v1/videos', {
    headers: { Authorization: `Bearer ${mintApiKey()}`, 'CF-Connecting-IP': address },
  })
}

describe('the shield against guessing', () => {
  it('refuses an address after a thousand refused keys in a minute, and lets it back in', async () => {
    const seen = await aClient()
    const address = '203.0.113.7'
    await seen.get('/v1/videos', { 'CF-Connecting-IP': address })

    // All but the last few of the thousand are counted without the way through HTTP.
    for (let counted = 0; counted < 995; counted++) await bindings.GUESSES.limit({ key: address })
    const answers: Answer[] = []
    for (let guessed = 0; guessed < 7; guessed++) answers.push(await guess(address))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(answers.at(-1)?.json).toMatchObject({ error: 'RateLimitExceeded', retryAfter: 60 })

    expect((await guess('203.0.113.8')).status).toBe(401)
    // A key that was good a moment ago does not suffer for its neighbours.
    expect((await seen.get('/v1/videos', { 'CF-Connecting-IP': address })).status).toBe(200)
    const unseen = await aClient()
    expect((await unseen.get('/v1/videos', { 'CF-Connecting-IP': address })).status).toBe(429)
    advanceSeconds(61)
    expect((await unseen.get('/v1/videos', { 'CF-Connecting-IP': address })).status).toBe(200)
  })
})

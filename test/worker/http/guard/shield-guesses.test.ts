import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../../worker/app.ts'
import { mintApiKey } from '../../../../worker/contract/people/api-key.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../../support/worker/clock.ts'
import { campaign } from '../../../support/node/campaign.ts'

stopTheClock()

const deployed = { ...bindings, ENVIRONMENT: 'production' }

/** Calls the app as deployed, or as run locally, from an address that the edge reports. */
async function ask(address: string, apiKey: string, env: object = deployed): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'CF-Connecting-IP': address }
  return createApp().request('/v1/videos', { headers }, env, createExecutionContext())
}

async function guess(address: string, env?: object): Promise<Response> {
  return ask(address, mintApiKey(), env)
}

/** Counts all but the last few of the thousand directly, without HTTP. */
async function countMost(address: string): Promise<void> {
  for (let hundreds = 0; hundreds < 5; hundreds++) {
    await Promise.all(
      Array.from({ length: 199 }, async () => bindings.GUESSES.limit({ key: address })),
    )
  }
}

const realMinute = () => Math.floor(vi.getRealSystemTime() / 60_000)

/**
 * The counter restarts at each full minute of real time, so a test that crosses one counts again with another address.
 */
async function withinOneMinute<Value>(work: (address: string) => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    const minute = realMinute()
    const value = await work(`203.0.113.${100 + tries}`)
    if (realMinute() === minute) return value
  }
}

describe('the shield against guessing', () => {
  it('answers 429 to an address after a thousand refused keys in a minute', async () => {
    const { address, answers } = await withinOneMinute(async (address) => {
      await countMost(address)
      const answers: Response[] = []
      for (let guessed = 0; guessed < 7; guessed++) answers.push(await guess(address))
      return { address, answers }
    })
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(await answers.at(-1)?.json()).toMatchObject({
      error: 'RateLimitExceeded',
      retryAfter: 60,
    })
    expect((await ask(address, 'spool_mistyped')).status).toBe(429)
    expect((await guess('203.0.113.8')).status).toBe(401)
    // A valid key is not affected by its neighbours, seen before or not.
    const { apiKey } = await aClient()
    expect((await ask(address, apiKey)).status).toBe(200)
  })

  it('counts all addresses of an IPv6 customer as one', async () => {
    const keys: string[] = []
    const counter = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) < 3 }) }
    const env = { ...deployed, GUESSES: counter }
    for (const status of [401, 401, 429, 429]) {
      const address = `2001:db8:77:1::${keys.length + 1}`
      expect((await guess(address, env)).status).toBe(status)
    }
    // The fourth was known to be too many, and was not counted.
    expect(keys).toEqual(Array(3).fill('2001:db8:77:1::/64'))
    expect((await guess('2001:db8:77:2::1', { ...deployed })).status).toBe(401)
  })

  it('answers as before when the minute is over', async () => {
    const address = '203.0.113.10'
    // The counter of workerd has its own clock, which no test can move.
    const counter = { success: false }
    const env = { ...deployed, GUESSES: { limit: async () => counter } }
    expect((await guess(address, env)).status).toBe(429)
    counter.success = true
    advanceSeconds(59)
    expect((await guess(address, env)).headers.get('Retry-After')).toBe('1')
    advanceSeconds(2)
    expect((await guess(address, env)).status).toBe(401)
  })

  campaign(
    'counts nothing locally, where everybody has one address and may claim another',
    async () => {
      const address = '203.0.113.9'
      await countMost(address)
      for (let guessed = 0; guessed < 7; guessed++) {
        expect((await guess(address, bindings)).status).toBe(401)
      }
      expect((await guess(address)).status).toBe(401)
    },
  )
})

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseOptionalRateLimits, parseRateLimits } from '../../../worker/contract/rate-windows.ts'
import { readSettings, type Env } from '../../../worker/settings.ts'
import { aClient, anAccount, gateOf } from '../../support/worker/accounts.ts'
import { send, type Answer, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { mp4Bytes, openUpload, putPart } from '../../support/worker/uploads.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const rateOf = ({ headers }: Answer) => ({
  limit: headers.get('X-RateLimit-Limit'),
  remaining: headers.get('X-RateLimit-Remaining'),
  reset: headers.get('X-RateLimit-Reset'),
})

const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1000 + seconds))

describe('KeyGate', () => {
  it('lets 25 keys of one account pass ten times as often as one of them, and others as before', async () => {
    const accountId = await anAccount('2/60')
    const clients: Client[] = []
    for (let made = 0; made < 25; made++) clients.push(await aClient({ accountId }))
    const counts = { 200: 0, 429: 0 }
    for (const client of clients) {
      for (let asked = 0; asked < 3; asked++) {
        const { status, headers } = await client.get('/v1/videos')
        counts[status as 200 | 429] += 1
        if (status === 429) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      }
    }
    expect(counts).toEqual({ 200: 20, 429: 55 })
    const other = await aClient({ rateLimits: '2/60' })
    expect((await other.get('/v1/videos')).status).toBe(200)
    advanceSeconds(60)
    expect((await clients[24]?.get('/v1/videos'))?.status).toBe(200)
  })

  it('lets exactly 100 of 200 parallel requests pass under the default plan', async () => {
    const { accountId } = await withDefaultPlan()
    const client = await aClient({ accountId })
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => client.get('/v1/videos?limit=1')),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(100)
    const remaining = answers.map((answer) => Number(rateOf(answer).remaining))
    expect(Math.min(...remaining)).toBe(0)
    expect(new Set(remaining.filter((_, i) => statuses[i] === 200)).size).toBe(100)
  })

  it('says what is left on every answer to a valid key, whatever the answer', async () => {
    const client = await aClient({ rateLimits: '10/60,100/3600' })
    const first = await client.get('/v1/videos')
    expect(rateOf(first)).toEqual({ limit: '10', remaining: '9', reset: inSeconds(60) })
    expect(first.headers.get('RateLimit-Policy')).toBe('"60s";q=10;w=60, "3600s";q=100;w=3600')
    expect(first.headers.get('RateLimit')).toBe('"60s";r=9;t=60, "3600s";r=99;t=3600')
    advanceSeconds(20)
    const missing = await client.get('/v1/videos/v_00000000')
    expect(missing.status).toBe(404)
    expect(rateOf(missing)).toEqual({ limit: '10', remaining: '8', reset: inSeconds(40) })
    const invalid = await client.post('/v1/videos', {})
    expect(invalid.status).toBe(400)
    expect(rateOf(invalid).remaining).toBe('7')
    const unknown = await client.get('/v1/nothing')
    expect(unknown.status).toBe(404)
    expect(rateOf(unknown).remaining).toBe('6')
  })

  it('refuses requests above the limit, says for how long, and admits them after that', async () => {
    const client = await aClient({ rateLimits: '2/60' })
    await client.get('/v1/videos')
    advanceSeconds(10)
    await client.get('/v1/videos')
    const refused = await client.get('/v1/videos')
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({
      error: 'RateLimitExceeded',
      message: 'Too many requests; try again in 50 s.',
      retryAfter: 50,
    })
    expect(refused.headers.get('Retry-After')).toBe('50')
    expect(rateOf(refused)).toEqual({ limit: '2', remaining: '0', reset: inSeconds(50) })
    advanceSeconds(49)
    expect((await client.get('/v1/videos')).status).toBe(429)
    advanceSeconds(1)
    expect((await client.get('/v1/videos')).status).toBe(200)
  })

  it('does not count what it refuses', async () => {
    const client = await aClient({ rateLimits: '2/60,5/3600' })
    for (let i = 0; i < 10; i++) await client.get('/v1/videos')
    advanceSeconds(60)
    const answer = await client.get('/v1/videos')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('RateLimit')).toBe('"60s";r=1;t=60, "3600s";r=2;t=3540')
  })

  it('enforces the long window as well, and names the longer wait', async () => {
    const client = await aClient({ rateLimits: '2/60,3/3600' })
    await client.get('/v1/videos')
    await client.get('/v1/videos')
    advanceSeconds(60)
    await client.get('/v1/videos')
    const refused = await client.get('/v1/videos')
    expect(refused).toMatchObject({ status: 429, json: { retryAfter: 3540 } })
    expect(rateOf(refused)).toEqual({ limit: '3', remaining: '0', reset: inSeconds(3540) })
    advanceSeconds(3540)
    expect((await client.get('/v1/videos')).status).toBe(200)
  })

  it('names the later end when both windows are used up', async () => {
    const client = await aClient({ rateLimits: '2/60,2/3600' })
    await client.get('/v1/videos')
    await client.get('/v1/videos')
    expect((await client.get('/v1/videos')).json['retryAfter']).toBe(3600)
  })

  it('remembers after it was evicted', async () => {
    // An eviction waits for timers of the object; the gate has none.
    const client = await aClient({ rateLimits: '3/60' })
    await client.get('/v1/videos')
    await client.get('/v1/videos')
    await evictDurableObject(await gateOf(client.apiKey))
    expect(rateOf(await client.get('/v1/videos')).remaining).toBe('0')
    expect((await client.get('/v1/videos')).status).toBe(429)
  })

  it('remembers the true count of a large window, and never fewer requests than there were', async () => {
    const client = await aClient({ rateLimits: '5000/60' })
    for (let i = 0; i < 7; i++) await client.get('/v1/videos')
    const gate = await gateOf(client.apiKey)
    const stored = () =>
      runInDurableObject(gate, (_, { storage }) => storage.kv.get('uses:requests'))
    expect(await stored()).toMatchObject([{ count: 10 }])
    await vi.waitFor(async () => expect(await stored()).toMatchObject([{ count: 7 }]), 5_000)
    await evictDurableObject(gate)
    expect(rateOf(await client.get('/v1/videos')).remaining).toBe('4992')
  })

  it('counts a request without a valid key against no key', async () => {
    const client = await aClient({ rateLimits: '2/60' })
    await client.get('/v1/videos')
    for (let i = 0; i < 5; i++) await send('/v1/videos')
    expect(rateOf(await client.get('/v1/videos')).remaining).toBe('0')
  })

  it('does not limit GET /health', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, async () => send('/health')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.some(({ headers }) => headers.has('X-RateLimit-Limit'))).toBe(false)
  })
})

describe('the lanes of a key', () => {
  /** A key of the default plan, with 2 requests a minute and these reads. */
  async function aClientOfPlan(reads?: string): Promise<Client> {
    const client = await aClient({ accountId: (await withDefaultPlan()).accountId })
    await runInDurableObject(await gateOf(client.apiKey), (gate) => {
      const settings = readSettings((gate as unknown as { env: Env }).env)
      settings.ratePlan = {
        requests: parseRateLimits('2/60'),
        reads: parseOptionalRateLimits(reads ?? ''),
      }
    })
    return client
  }

  afterEach(async () => {
    const client = await aClient()
    await runInDurableObject(await gateOf(client.apiKey), (gate) => {
      readSettings((gate as unknown as { env: Env }).env).ratePlan = {
        requests: parseRateLimits('100/60,1000/3600'),
        reads: undefined,
      }
    })
  })

  const create = async (client: Client) => client.post('/v1/videos', {})

  it('counts reads and all other requests together, unless reads have separate windows', async () => {
    const client = await aClientOfPlan()
    const statuses = [await client.get('/v1/videos'), await create(client), await create(client)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 400, 429])
  })

  it('counts reads separately if they have their own windows, and says so', async () => {
    const client = await aClientOfPlan('3/60')
    for (let i = 0; i < 3; i++) expect((await client.get('/v1/videos')).status).toBe(200)
    const refused = await client.get('/v1/videos')
    expect(refused.json).toEqual({
      error: 'RateLimitExceeded',
      message: 'Too many reads; try again in 60 s.',
      retryAfter: 60,
    })
    expect(refused.headers.get('RateLimit-Policy')).toBe('"reads-60s";q=3;w=60')
    expect(rateOf(refused)).toMatchObject({ limit: '3', remaining: '0' })
    const created = await create(client)
    expect(created.status).toBe(400)
    expect(created.headers.get('RateLimit-Policy')).toBe('"60s";q=2;w=60')
    expect(rateOf(created)).toMatchObject({ limit: '2', remaining: '1' })
  })

  it('remembers each lane after eviction', async () => {
    const client = await aClientOfPlan('3/60')
    await client.get('/v1/videos')
    await evictDurableObject(await gateOf(client.apiKey))
    expect(rateOf(await client.get('/v1/videos')).remaining).toBe('1')
    expect(rateOf(await create(client)).remaining).toBe('1')
  })

  it('lets an upload continue when every other window is used up', async () => {
    const client = await aClient({ rateLimits: '2/60' })
    const { uploadId, urls } = await openUpload(client, 5000)
    await client.get('/v1/videos')
    expect((await client.get('/v1/videos')).status).toBe(429)
    const path = `/v1/uploads/${uploadId}`
    const read = await client.get(path)
    expect(read.status).toBe(200)
    expect(read.headers.get('RateLimit-Policy')).toBe('"uploads-60s";q=20;w=60')
    expect((await putPart(urls[0], mp4Bytes(5000))).status).toBe(200)
    expect((await client.post(`${path}/complete`)).status).toBe(200)
    expect((await client.post('/v1/uploads', {})).status).toBe(429)
  })

  it('uses the windows of an account that has its own for reads too', async () => {
    await aClientOfPlan('1000/60')
    const client = await aClient({ rateLimits: '1/60' })
    expect((await client.get('/v1/videos')).status).toBe(200)
    expect((await client.get('/v1/videos')).status).toBe(429)
  })
})

/** An account without limits of its own follows RATE_LIMITS, 100/60,1000/3600 unless set. */
async function withDefaultPlan() {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  return { accountId: await anAccount() }
}

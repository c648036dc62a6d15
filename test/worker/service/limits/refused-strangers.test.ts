import { expect, it } from 'vitest'
import { sweep } from '../../../../worker/queue/sweep.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../../support/worker/clock.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'

stopTheClock()

it('writes ten refusals of strangers in a minute, and counts the others by route and status', async () => {
  const client = await aClient()
  await send('/health')
  const log = recordLog()
  for (let asked = 0; asked < 30; asked++) {
    expect((await send('/v1/videos')).status).toBe(401)
    expect((await send(`/nothing/${asked}`)).status).toBe(404)
  }
  const written = () => log.lines().filter(({ event }) => event === 'request')
  expect(written()).toHaveLength(10)
  expect((await client.get('/v1/videos/v_12345678')).status).toBe(404)
  expect(written()).toHaveLength(11)
  advanceSeconds(60)
  await sweep(bindings, Date.now())
  const summaries = log.lines().filter(({ event }) => event === 'requests refused')
  expect(summaries).toMatchObject([
    { route: '/v1/videos', status: 401, count: 25, seconds: 60 },
    { status: 404, count: 25, seconds: 60 },
  ])
  await send('/v1/videos')
  expect(written()).toHaveLength(12)
})

it('names the account of a key that is past its limit, however many strangers were refused', async () => {
  const client = await aClient({ rateLimits: '1/60' })
  expect((await client.get('/v1/videos')).status).toBe(200)
  for (let asked = 0; asked < 20; asked++) await send('/v1/videos')
  const log = recordLog()
  expect((await client.get('/v1/videos')).status).toBe(429)
  expect(log.lines()).toMatchObject([
    { event: 'request', status: 429, accountId: client.accountId, keyId: client.keyId },
  ])
})

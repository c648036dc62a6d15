import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followSecret } from '../../../scripts/start/follow-secret.ts'
import { adminStub } from '../../support/scripts/admin-stub.ts'
import { eventually } from '../../support/node/eventually.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const none = { previousSecret: null, previousExpiresAt: null }

it('followSecret reports the current secret once a minute, even after a minute without an answer', async () => {
  const answers = [
    { body: { accountId: 'a_1', secret: 'whsec_1', ...none } },
    { status: 503, body: { error: 'ServiceUnavailable', message: 'Starting up' } },
    { body: { accountId: 'a_1', secret: 'whsec_2', ...none } },
  ]
  const stub = await adminStub(() => answers.shift() ?? { status: 500, body: {} })
  const told: string[] = []
  const unfollow = followSecret(stub, 'a_1', (secret) => void told.push(secret))
  vi.advanceTimersByTime(59_999)
  expect(stub.requests).toEqual([])
  vi.advanceTimersByTime(1)
  await eventually(() => expect(told).toHaveLength(1))
  vi.advanceTimersByTime(60_000)
  await eventually(() => expect(answers).toHaveLength(1))
  vi.advanceTimersByTime(60_000)
  await eventually(() => expect(told).toHaveLength(2))
  expect(told).toEqual(['whsec_1', 'whsec_2'])
  expect(stub.requests).toEqual(
    Array(3).fill({ command: 'webhooks.show-secret', accountId: 'a_1' }),
  )
  unfollow()
  vi.advanceTimersByTime(600_000)
  expect(vi.getTimerCount()).toBe(0)
})

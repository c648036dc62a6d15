import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, TimeoutError } from '../../client/src/errors.ts'
import { readRetryAfter } from '../../client/src/http/read-error.ts'
import { retried, type RetryPolicy } from '../../client/src/http/retried.ts'
import { Uploads } from '../../client/src/resources/uploads.ts'
import { Videos } from '../../client/src/resources/videos.ts'
import { Keys } from '../../client/src/resources/keys.ts'
import { AnsweringServer, answerJson } from './support/answering-server.ts'
import { transportTo } from './support/transport-to.ts'

const refusal = (status: number, retryAfterSeconds?: number) =>
  new ApiError('no', {
    status,
    code: 'InternalError',
    faults: [],
    retryAfterSeconds,
    requestId: undefined,
  })

const busy = { error: 'ServiceUnavailable', message: 'The service is starting.' }
const accepted = { videoId: 'v_12345678', jobId: 'j_1', status: 'queued', message: 'Queued.' }

describe('a retry', () => {
  const policy = { maxRetries: 3, repeatable: true }

  /** How long is waited before each of them, when the same goes wrong every time. */
  async function waitsAfter(error: Error, random: number, asked: RetryPolicy = policy) {
    const waits: number[] = []
    const timing = { pause: async (ms: number) => void waits.push(ms), random: () => random }
    await expect(retried(async () => Promise.reject(error), asked, timing, undefined)).rejects.toBe(
      error,
    )
    return waits
  }

  it('waits longer each time, and never the same for two clients', async () => {
    const lost = new ConnectionError('lost')
    expect(await waitsAfter(lost, 1)).toEqual([500, 1000, 2000])
    expect(await waitsAfter(lost, 0)).toEqual([250, 500, 1000])
  })

  it('never comes before the time that the answer names', async () => {
    expect(await waitsAfter(refusal(429, 7), 0)).toEqual([7000, 7000, 7000])
    expect(await waitsAfter(refusal(503, 7), 1)).toEqual([7500, 7500, 7500])
  })

  it('is left to the caller when the wait is that of an hourly window', async () => {
    expect(await waitsAfter(refusal(429, 3000), 0)).toEqual([])
  })

  it('is not made for a refusal that stays one', async () => {
    for (const status of [400, 401, 403, 404, 405, 409, 413, 422]) {
      expect(await waitsAfter(refusal(status), 0)).toEqual([])
    }
  })

  it('is not made when the first request may have been carried out, and a second would do more', async () => {
    const once = { maxRetries: 3, repeatable: false }
    const errors = [
      new ConnectionError('x'),
      new TimeoutError('x'),
      ...[500, 502, 503].map((status) => refusal(status)),
    ]
    for (const error of errors) expect(await waitsAfter(error, 0, once)).toEqual([])
    expect(await waitsAfter(refusal(429, 1), 0, once)).toEqual([1000, 1000, 1000])
  })

  it('reads Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-11-22T10:00:00Z')
    expect(readRetryAfter('12', now)).toBe(12)
    expect(readRetryAfter('Sun, 22 Nov 2026 10:00:30 GMT', now)).toBe(30)
    expect(readRetryAfter('Sun, 22 Nov 2026 09:00:00 GMT', now)).toBe(0)
    expect([
      readRetryAfter('soon', now),
      readRetryAfter(null, now),
      readRetryAfter('', now),
    ]).toEqual([undefined, undefined, undefined])
  })
})

describe('a create', () => {
  it('is repeated with the same Idempotency-Key after 503, a broken connection and a conflict that passes', async () => {
    const answers = [503, 0, 409]
    const server = await AnsweringServer.start((_, response) => {
      const status = answers.shift()
      if (status === 0) response.destroy()
      else if (status === 503) answerJson(response, 503, busy, { 'Retry-After': '2' })
      else if (status === 409) {
        answerJson(
          response,
          409,
          { error: 'Conflict', message: 'Under way.' },
          { 'Retry-After': '1' },
        )
      } else answerJson(response, 202, accepted)
    })
    const { transport, pauses } = transportTo(server.origin)
    const videos = new Videos(transport, new Uploads(transport))
    expect(await videos.create({ fileUrl: 'https://example.com/a.mp4' })).toEqual(accepted)
    const keys = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\x21-\x7e]{16,}$/)
    expect(pauses).toEqual([2500, 1000, 1500])
    expect(server.asked.map(({ body }) => JSON.parse(body.toString()) as unknown)).toEqual(
      Array.from({ length: 4 }, () => ({ fileUrl: 'https://example.com/a.mp4' })),
    )
  })

  it('carries the key of the caller, and two creates carry two', async () => {
    const server = await AnsweringServer.start((_, response) => answerJson(response, 202, accepted))
    const { transport } = transportTo(server.origin)
    const videos = new Videos(transport, new Uploads(transport))
    await videos.create({}, { idempotencyKey: 'order-8127' })
    await videos.create({})
    await videos.create({})
    const [first, ...others] = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(first).toBe('order-8127')
    expect(new Set(others).size).toBe(2)
  })
})

it('issuing a key is not repeated when its answer is lost', async () => {
  const server = await AnsweringServer.start((_, response) => response.destroy())
  const { transport } = transportTo(server.origin)
  const issued = new Keys(transport).create({ scopes: ['videos:read'] })
  await expect(issued).rejects.toThrow(ConnectionError)
  expect(server.asked).toHaveLength(1)
})

import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { mintApiKey } from '../../../../worker/contract/people/api-key.ts'
import { KeyGate } from '../../../../worker/durable/key-gate.ts'
import worker from '../../../../worker/index.ts'
import { aClient, gateOf } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { Client, refusal, send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { watchCalls } from '../../../support/worker/platform/watch-calls.ts'
import { aVideo, sourceUrl, videoRow } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const withHeader = async (authorization: string) =>
  send('/v1/videos', { headers: { Authorization: authorization } })

function unauthorized(message: string) {
  return { status: 401, error: 'Unauthorized', message }
}

/** Everything that the gate stores for a key. */
async function keptFor(apiKey: string): Promise<unknown[]> {
  return runInDurableObject(await gateOf(apiKey), (_, { storage }) => [...storage.kv.list()])
}

describe('authenticate', () => {
  it('asks for a key if none is sent', async () => {
    const answer = await send('/v1/videos')
    expect(refusal(answer)).toEqual(
      unauthorized(
        'Send your API key: Authorization: Bearer <API_KEY>. The dashboard makes one: http://127.0.0.1:8787/app/keys',
      ),
    )
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="spool"')
    expect(answer.headers.has('X-RateLimit-Limit')).toBe(false)
  })

  it('refuses any other scheme, and a scheme without a key', async () => {
    const expected = unauthorized('The Authorization header must be: Bearer <API_KEY>')
    const basic = await withHeader('Basic c3Bvb2w6c2VjcmV0')
    expect(refusal(basic)).toEqual(expected)
    expect(basic.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="spool", error="invalid_request"',
    )
    const { apiKey } = await aClient()
    expect(refusal(await withHeader(apiKey))).toEqual(expected)
    expect(refusal(await withHeader('Bearer'))).toEqual(expected)
    expect(refusal(await withHeader(`Bearer ${apiKey} ${apiKey}`))).toEqual(expected)
    expect(refusal(await withHeader(`Bearer ${apiKey}, Bearer ${apiKey}`))).toEqual(expected)
  })

  it('accepts the scheme in any case and more than one space', async () => {
    const { apiKey } = await aClient()
    expect((await withHeader(`bearer ${apiKey}`)).status).toBe(200)
    expect((await withHeader(`BEARER  ${apiKey}`)).status).toBe(200)
  })

  it('does not look for a key in the address', async () => {
    const { apiKey } = await aClient()
    const answer = await send(`/v1/videos?api_key=${apiKey}&access_token=${apiKey}`)
    expect(answer.status).toBe(401)
  })

  it('recognises a typo by the checksum, without asking a Durable Object or D1', async () => {
    const { apiKey } = await aClient()
    const last = apiKey.endsWith('0') ? '1' : '0'
    const log = recordStatements()
    const gate = vi.spyOn(KeyGate.prototype, 'admit')
    const lookup = vi.spyOn(prototypeOf(bindings.KEY_GATE), 'getByName')
    const answer = await withHeader(`Bearer ${apiKey.slice(0, -1)}${last}`)
    expect(refusal(answer)).toEqual(unauthorized('The API key is not valid.'))
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="spool", error="invalid_token"',
    )
    expect((await withHeader('Bearer spool_short')).status).toBe(401)
    expect((await withHeader(`Bearer ${apiKey.replace('spool_', 'other_')}`)).status).toBe(401)
    expect(gate).not.toHaveBeenCalled()
    expect(lookup).not.toHaveBeenCalled()
    expect(log.calls).toBe(0)
  })

  it('stores nothing about a key that was never issued, and does not ask D1', async () => {
    const apiKey = mintApiKey()
    const log = recordStatements()
    expect(refusal(await withHeader(`Bearer ${apiKey}`))).toEqual(
      unauthorized('The API key is not valid.'),
    )
    expect(log.calls).toBe(0)
    expect(await keptFor(apiKey)).toEqual([])
  })

  it('refuses a key from the moment it expires', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const client = await aClient({ expiresAt })
    advanceSeconds(59)
    expect((await client.get('/v1/videos')).status).toBe(200)
    advanceSeconds(1)
    expect(refusal(await client.get('/v1/videos'))).toEqual(
      unauthorized('The API key has expired.'),
    )
  })

  it('guards every address under /v1, even those that do not exist', async () => {
    expect((await send('/v1/videos/v_12345678')).status).toBe(401)
    expect((await send('/v1/nothing')).status).toBe(401)
    expect((await send('/v1/videos', { method: 'PUT' })).status).toBe(401)
    expect((await send('/v1')).status).toBe(401)
  })

  it('answers 401 even if the body never comes', async () => {
    const body = new ReadableStream({ type: 'bytes', pull: async () => new Promise(() => {}) })
    const request = new Request(`${bindings.BASE_URL}/v1/videos`, { method: 'POST', body })
    const answer = await worker.fetch(request, bindings, createExecutionContext())
    expect(answer.status).toBe(401)
  })
})

describe('requireScope', () => {
  const missing = {
    status: 403,
    error: 'Forbidden',
    message: 'This API key lacks the scope videos:write.',
  }

  it('lets a reading key read and nothing else', async () => {
    const writer = await aClient()
    const reader = await aClient({ accountId: writer.accountId, scopes: ['videos:read'] })
    const { videoId, jobId } = await aVideo(writer)
    const path = `/v1/videos/${videoId}`
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.get('/v1/videos')).status).toBe(200)
    expect((await reader.get(`/v1/jobs/${jobId}`)).status).toBe(200)

    const refused = await reader.patch(path, { videoName: 'mine now' })
    expect(refusal(refused)).toEqual(missing)
    expect(refused.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="spool", error="insufficient_scope", scope="videos:write"',
    )
    expect(refused.headers.get('X-RateLimit-Remaining')).not.toBeNull()
    expect(refusal(await reader.post(`${path}/cancel`))).toEqual(missing)
    expect(refusal(await reader.delete(path))).toEqual(missing)
    const created = await reader.post('/v1/videos', { fileUrl: sourceUrl })
    expect(refusal(created)).toEqual(missing)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', name: 'holiday' })
  })

  it('answers a missing scope the same for a video that exists and one that does not', async () => {
    const writer = await aClient({ scopes: ['videos:write'] })
    const { videoId } = await aVideo(writer)
    const [there, absent] = [
      await writer.get(`/v1/videos/${videoId}`),
      await writer.get('/v1/videos/v_00000000'),
    ]
    expect(there.text).toBe(absent.text)
  })
})

describe('the cost of a status read', () => {
  it('is one gate call and one D1 statement, begun together, for a key seen in the last minute', async () => {
    const { client, videoId } = await aVideo()
    const log = recordStatements()
    const begunBefore: number[] = []
    watchCalls(KeyGate.prototype, 'admit', () => begunBefore.push(log.calls))
    advanceSeconds(59)
    expect((await client.get(`/v1/videos/${videoId}`)).status).toBe(200)
    expect(begunBefore).toEqual([1])
    expect(log).toMatchObject({ calls: 1, texts: [expect.stringContaining('from "videos"')] })
  })

  it('never shows a row that was prefetched for a refused request', async () => {
    const client = await aClient({ rateLimits: '2/60' })
    const { videoId } = await aVideo(client)
    await client.get(`/v1/videos/${videoId}`)
    const limited = await client.get(`/v1/videos/${videoId}`)
    expect(limited.status).toBe(429)
    expect(limited.text).not.toContain(videoId)
  })

  it('asks a gate that failed once more, and then answers 503', async () => {
    const client = await aClient()
    const gate = vi.spyOn(KeyGate.prototype, 'admit')
    gate.mockImplementationOnce(() => {
      throw new Error('the object is being moved')
    })
    expect((await client.get('/v1/videos')).status).toBe(200)
    gate.mockImplementation(() => {
      throw new Error('the object is being moved')
    })
    const answer = await new Client(client).get('/v1/videos')
    expect(answer).toMatchObject({ status: 503, json: { error: 'ServiceUnavailable' } })
    expect(answer.headers.get('Retry-After')).toBe('1')
  })
})

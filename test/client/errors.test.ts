import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, SpoolError, TimeoutError } from '../../client/src/errors.ts'
import { Spool } from '../../client/src/spool.ts'
import { AnsweringServer, answerJson } from './support/answering-server.ts'
import { transportTo } from './support/transport-to.ts'

let server: AnsweringServer

type Handler = Parameters<typeof AnsweringServer.start>[0]

async function errorOf(handle: Handler, settings: { timeoutMs?: number } = {}): Promise<unknown> {
  server = await AnsweringServer.start(handle)
  const { transport } = transportTo(server.origin, { maxRetries: 0, ...settings })
  return transport.json({ method: 'GET', path: '/v1/videos' }).catch((error: unknown) => error)
}

describe('an error', () => {
  it('has the status, the code, the request and the path of every fault', async () => {
    const body = {
      error: 'ValidationError',
      message: 'removeSilense: Unknown field (and 1 more fault; see details)',
      details: [
        { field: 'removeSilense', message: 'Unknown field' },
        { field: 'elements[2].position.anchor', message: 'Must be one of nine places' },
      ],
    }
    const error = await errorOf((_, response) =>
      answerJson(response, 400, body, { 'X-Request-Id': 'req-1' }),
    )
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(SpoolError)
    expect(error).toMatchObject({
      name: 'ApiError',
      message: body.message,
      status: 400,
      code: 'ValidationError',
      requestId: 'req-1',
      faults: [
        { path: 'removeSilense', message: 'Unknown field' },
        { path: 'elements[2].position.anchor', message: 'Must be one of nine places' },
      ],
    })
  })

  it('says how long to wait', async () => {
    const error = await errorOf((_, response) =>
      answerJson(
        response,
        429,
        { error: 'RateLimitExceeded', message: 'No.' },
        { 'Retry-After': '60' },
      ),
    )
    expect(error).toMatchObject({ status: 429, code: 'RateLimitExceeded', retryAfterSeconds: 60 })
  })

  it('of a proxy is shown in its own words', async () => {
    const error = await errorOf((_, response) => {
      response.writeHead(413, { 'Content-Type': 'text/html' })
      response.end('<html><h1>413 Request Entity Too Large</h1><hr>nginx</html>')
    })
    expect(error).toMatchObject({ status: 413, code: 'Unrecognized', faults: [] })
    expect(String(error)).toContain('413 Request Entity Too Large nginx')
  })

  it('names the address that a redirect leads to instead of following it', async () => {
    const error = await errorOf((_, response) => {
      response.writeHead(301, { Location: 'https://spool.example.com/v1/videos' }).end()
    })
    expect(String(error)).toContain('redirected to https://spool.example.com/v1/videos')
    expect(server.asked).toHaveLength(1)
  })

  it('says that a page is not an answer of Spool', async () => {
    const error = await errorOf((_, response) =>
      response.writeHead(200).end('<html>Welcome</html>'),
    )
    expect(error).toMatchObject({ code: 'Unrecognized', status: 200 })
    expect(String(error)).toContain(
      `There is no Spool service at ${server.origin}. GET /v1/videos was answered 200, but not with JSON`,
    )
  })

  it.each([
    ['a page', 'text/html', '<h1>Not Found</h1>'],
    ['the JSON of a framework', 'application/json', '{"error":"Not Found","message":"No route"}'],
  ])(
    'tells another program at the address from a 404 of the service by %s',
    async (_, type, text) => {
      const error = await errorOf((_, response) =>
        response.writeHead(404, { 'Content-Type': type }).end(text),
      )
      expect(error).toMatchObject({ code: 'Unrecognized', status: 404 })
      expect(String(error)).toContain(
        `There is no Spool service at ${server.origin}. GET /v1/videos was answered 404: `,
      )
    },
  )

  it('names the host that cannot be reached, and why', async () => {
    server = await AnsweringServer.start(() => undefined)
    const { origin } = server
    await server.close()
    const { transport } = transportTo(origin, { maxRetries: 0 })
    const asked = transport.json({ method: 'GET', path: '/v1/videos' })
    await expect(asked).rejects.toThrow(ConnectionError)
    await expect(asked).rejects.toThrow(/no answer from 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
  })

  it('ends the wait for a server that says nothing', async () => {
    const error = await errorOf(() => undefined, { timeoutMs: 50 })
    expect(error).toBeInstanceOf(TimeoutError)
  })
})

describe('a call that is aborted', () => {
  it('throws the reason of the signal while it waits for an answer', async () => {
    const controller = new AbortController()
    server = await AnsweringServer.start(() => controller.abort(new Error('enough')))
    const { transport } = transportTo(server.origin)
    const asked = transport.json({ method: 'GET', path: '/x' }, { signal: controller.signal })
    await expect(asked).rejects.toThrow('enough')
    expect(server.asked).toHaveLength(1)
  })

  it('asks nothing if it was aborted before', async () => {
    server = await AnsweringServer.start((_, response) => answerJson(response, 200, {}))
    const { transport } = transportTo(server.origin)
    const signal = AbortSignal.abort(new Error('never mind'))
    const asked = transport.json({ method: 'GET', path: '/x' }, { signal })
    await expect(asked).rejects.toThrow('never mind')
    expect(server.asked).toHaveLength(0)
  })
})

describe('new Spool', () => {
  it('refuses a key with characters that none has, without showing it', () => {
    const make = () => new Spool({ apiKey: 'spool_se\ncret', baseUrl: 'http://127.0.0.1' })
    expect(make).toThrow(SpoolError)
    expect(make).not.toThrow(/se|cret/)
  })

  it('says what is missing', () => {
    expect(() => new Spool({ apiKey: '', baseUrl: 'http://127.0.0.1' })).toThrow(
      /API key is missing/,
    )
    expect(() => new Spool({ apiKey: 'a', baseUrl: 'spool.example.com' })).toThrow(
      /must begin with/,
    )
  })

  it('takes an address with a path and a slash at its end', async () => {
    server = await AnsweringServer.start((_, response) =>
      answerJson(response, 200, { data: [], nextCursor: null }),
    )
    const spool = new Spool({ apiKey: ' spool_1\n', baseUrl: `${server.origin}/spool/` })
    expect(await spool.videos.list({ status: 'failed' }).all()).toEqual([])
    expect(server.asked[0]).toMatchObject({ url: '/spool/v1/videos?status=failed' })
    expect(server.asked[0]?.headers.authorization).toBe('Bearer spool_1')
  })

  it('asks for no other address when an id is not one', async () => {
    server = await AnsweringServer.start((_, response) => answerJson(response, 200, {}))
    const spool = new Spool({ apiKey: 'spool_1', baseUrl: server.origin })
    await spool.videos.get('../keys?x=1')
    expect(server.asked[0]?.url).toBe('/v1/videos/..%2Fkeys%3Fx%3D1')
    await expect(spool.videos.delete('')).rejects.toThrow('videoId')
    await expect(spool.videos.delete('..')).rejects.toThrow('videoId')
  })
})

it('a list goes through all pages, each asked for when it is needed', async () => {
  server = await AnsweringServer.start(({ url }, response) =>
    url.includes('cursor=two')
      ? answerJson(response, 200, { data: [{ videoId: 'v_3' }], nextCursor: null })
      : answerJson(response, 200, {
          data: [{ videoId: 'v_1' }, { videoId: 'v_2' }],
          nextCursor: 'two',
        }),
  )
  const spool = new Spool({ apiKey: 'spool_1', baseUrl: server.origin })
  const ids: string[] = []
  for await (const { videoId } of spool.videos.list({ limit: 2 })) {
    ids.push(videoId)
    expect(server.asked).toHaveLength(ids.length < 3 ? 1 : 2)
  }
  expect(ids).toEqual(['v_1', 'v_2', 'v_3'])
  expect(server.asked[1]?.url).toBe('/v1/videos?limit=2&cursor=two')
})

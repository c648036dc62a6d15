import { describe, expect, it, vi } from 'vitest'
import { errorTable } from '../../../worker/contract/answers/errors.ts'
import { aClient, administer, sendAdmin } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { refusal, send, type Answer } from '../../support/worker/client.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { aFinishedVideo, aVideo, sourceUrl, videoRow } from '../../support/worker/videos.ts'
import { Visitor } from '../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const secretDetail = 'D1_ERROR: no such table: videos at /srv/secret'

function breakDatabase(): void {
  vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
    throw new Error(secretDetail)
  })
}

/** Breaks D1 where it breaks in reality: when the statement runs. */
function breakStatements(): void {
  const statement = prototypeOf(bindings.DB.prepare('SELECT 1'))
  for (const method of ['all', 'run', 'raw', 'first'] as const) {
    vi.spyOn(statement, method).mockImplementation(async () => {
      throw new Error(secretDetail)
    })
  }
}

const requestIdOf = ({ headers }: Answer) => headers.get('X-Request-Id')
const someRequestId = expect.stringMatching(/^req_[0-9A-Za-z]{16}$/) as string

describe('errorResponse', () => {
  it('answers an address that does not exist, with and without a key', async () => {
    const expected = {
      status: 404,
      error: 'NotFound',
      message: 'There is nothing at this address.',
    }
    expect(refusal(await send('/nothing'))).toEqual(expected)
    expect(refusal(await send('/internal/nothing'))).toEqual(expected)
    expect(refusal(await (await aClient()).get('/v1/nothing'))).toEqual(expected)
    expect(refusal(await (await aClient()).get('/v1/videos/'))).toEqual({
      ...expected,
      message: 'There is nothing at this address. Did you mean GET /v1/videos?',
    })
    expect((await send('/nothing')).headers.get('Content-Type')).toBe('application/json')
  })

  it('shows a person a page outside the API, and JSON inside it', async () => {
    const headers = { Accept: 'text/html,*/*;q=0.8' }
    const page = await send('/<b>nothing', { headers })
    expect(page.status).toBe(404)
    expect(page.text).toContain('<h1>There is nothing at this address.</h1>')
    expect(page.text).not.toContain('<b>')
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page.text) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    expect(page.headers.get('Content-Security-Policy')).toContain(`style-src 'sha256-${hash}'`)
    for (const path of ['/v1/nothing', '/internal/nothing', '/parts/nothing/at/all']) {
      expect((await send(path, { headers })).headers.get('Content-Type')).toBe('application/json')
    }
  })

  it('says at the bare address what the service does, for people who may sign up', async () => {
    const answer = await new Visitor().get('/')
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/app/about'])
    const about = await new Visitor().get('/app/about')
    expect(about.text).toMatch(/href="\/app\/sign-up"[\s\S]+first-video\.webp/)
  })

  it('leads from the bare address to the guides where nobody may sign up', async () => {
    const answer = await new Visitor({ SIGN_UP: 'closed' }).get('/')
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/docs'])
  })

  it('says StorageError if D1 fails inside a request, without details', async () => {
    const { client, videoId } = await aVideo()
    breakDatabase()
    const paths = [`/v1/videos/${videoId}`, '/v1/videos', `/v1/videos/${videoId}/transcript`]
    for (const path of paths) {
      const answer = await client.get(path)
      expect(answer.status).toBe(500)
      expect(answer.json).toEqual({
        error: 'StorageError',
        message: errorTable.StorageError.text,
        requestId: requestIdOf(answer),
      })
    }
    const created = await client.post('/v1/videos', { fileUrl: sourceUrl })
    expect(created).toMatchObject({ status: 500, json: { error: 'StorageError' } })
  })

  it('says as little if D1 fails behind a Durable Object, and the log says why', async () => {
    const { client, videoId } = await aVideo()
    const log = recordLog()
    const database = prototypeOf(bindings.DB)
    vi.spyOn(database, 'batch').mockRejectedValue(new Error(secretDetail))
    const answer = await client.post(`/v1/videos/${videoId}/cancel`)
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret')
    expect(log.texts.join()).toContain(secretDetail)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
  })

  it('says InternalError for an unexpected error, without details', async () => {
    const { client, videoId } = await aFinishedVideo()
    vi.spyOn(crypto.subtle, 'sign').mockRejectedValue(new TypeError('secret detail'))
    const answer = await client.get(`/v1/videos/${videoId}`)
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({
      error: 'InternalError',
      message: errorTable.InternalError.text,
      requestId: requestIdOf(answer),
    })
  })

  it('gives every answer an id of its own', async () => {
    const client = await aClient()
    const answers = [
      await send('/nothing'),
      await send('/v1/videos'),
      await client.get('/v1/videos'),
      await client.delete('/v1/videos'),
      await client.post('/v1/videos', '{'),
      await client.post('/v1/videos', { fileUrl: sourceUrl }),
      await send('/health'),
      await send('/files/forged/name'),
      await send('/internal/jobs/j_1/attempts/1/reports', { method: 'POST', body: 'x' }),
      await sendAdmin({ command: 'accounts.list' }),
    ]
    const ids = answers.map(requestIdOf)
    for (const id of ids) expect(id).toEqual(someRequestId)
    expect(new Set(ids).size).toBe(answers.length)
    for (const { headers } of answers) expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })
})

describe('the log', () => {
  it('has one JSON object per line, and one line per request with its id, route and status', async () => {
    const client = await aClient()
    const log = recordLog()
    const answer = await client.get('/v1/videos/v_00000000')
    expect(log.lines()).toEqual([
      {
        level: 'info',
        event: 'request',
        at: new Date().toISOString(),
        requestId: requestIdOf(answer),
        method: 'GET',
        route: '/v1/videos/:videoId',
        status: 404,
        durationMs: 0,
        keyId: client.keyId,
        accountId: client.accountId,
        fault: 'Video not found.',
      },
    ])
  })

  it('never contains a key, a token, a signature, a secret or an address of a customer', async () => {
    const log = recordLog()
    const account = await administer<'accounts.create'>({ command: 'accounts.create' })
    const client = await aClient({ accountId: account.accountId })
    const fileUrl = 'https://media.example.com/a.mp4?signature=customer-secret'
    const { videoId } = await aFinishedVideo(client, { fileUrl })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const { pathname } = new URL(String(json['finalVideoUrl']))
    await send(pathname)
    await send(`${pathname}x/y`)
    await send(`/v1/videos?api_key=${client.apiKey}`)
    await client.send('/v1/videos', { headers: { Authorization: `Basic ${client.apiKey}` } })
    await client.post('/v1/videos', { fileUrl: 'http://127.0.0.1/customer-secret' })
    breakStatements()
    await client.post('/v1/videos', { fileUrl })
    await client.get('/v1/videos')
    await client.patch(`/v1/videos/${videoId}`, { videoName: 'customer-secret name' })
    await sendAdmin({ command: 'accounts.create', name: 'customer-secret Ltd' })
    await sendAdmin({ command: 'keys.list', accountId: account.accountId })
    vi.spyOn(prototypeOf(bindings.DB), 'batch').mockRejectedValue(new Error(secretDetail))
    await client.post('/v1/videos', { fileUrl })

    const said = log.texts.join('\n')
    expect(log.lines().length).toBeGreaterThan(10)
    expect(said).not.toContain(client.apiKey.slice(6, 20))
    expect(said).not.toContain(pathname.split('/')[2]?.slice(-64))
    expect(said).not.toContain('customer-secret')
    expect(said).not.toContain('whsec_')
    expect(said).not.toContain(bindings.SPOOL_ADMIN_SECRET)
    expect(said).not.toContain(bindings.MEDIA_WORKER_TOKEN)
  })
})

import { describe, expect, it } from 'vitest'
import { limits } from '../../../worker/contract/limits.ts'
import {
  endEventTypes,
  webhookEventTypes,
} from '../../../worker/contract/webhooks/webhook-event.ts'
import { createApp } from '../../../worker/app.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Answer, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aTranscribedVideo,
  aVideo,
  eventRows,
  sourceUrl,
  type Created,
} from '../../support/worker/videos.ts'
import { checkAnswer, document, Documented, expectWebhookEvent } from './documented.ts'
import { checkKeyFailures, withoutDatabase } from './key-failures.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const standIns = standInForAll()

const nobodysVideo = '/v1/videos/v_00000000'
const tooLong = JSON.stringify({ videoName: 'x'.repeat(limits.jsonBodyBytes) })

describe('POST /v1/videos', () => {
  it('answers as documented', async () => {
    const documented = new Documented('post', '/v1/videos')
    const client = await aClient()
    const body = { fileUrl: sourceUrl, metadata: { own: [1] } }
    const key = { 'Idempotency-Key': 'one' }
    const first = await client.post('/v1/videos', body, key)
    documented.check(202, first)
    const replayed = await client.post('/v1/videos', body, key)
    documented.check(202, replayed)
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true')
    expect(replayed.text).toBe(first.text)
    documented.check(400, await client.post('/v1/videos', { removeSilense: 1 }))
    documented.check(404, await client.post('/v1/videos', { uploadId: 'u_unknown' }))
    documented.check(409, await client.post('/v1/videos', { fileUrl: `${sourceUrl}?2` }, key))
    documented.check(413, await client.post('/v1/videos', tooLong))
    await checkKeyFailures(documented, 'videos:write', '/v1/videos', body)
    documented.expectComplete()
  })
})

describe('GET /v1/videos', () => {
  it('answers as documented', async () => {
    const documented = new Documented('get', '/v1/videos')
    const client = await aClient()
    await aVideo(client)
    await aFinishedVideo(standIns, client)
    documented.check(200, await client.get('/v1/videos?limit=1'))
    documented.check(200, await client.get('/v1/videos?status=succeeded'))
    documented.check(400, await client.get('/v1/videos?limit=101&cursor=x&colour=red'))
    await checkKeyFailures(documented, 'videos:read', '/v1/videos')
    documented.expectComplete()
  })
})

describe('GET /v1/videos/{videoId}', () => {
  it('answers as documented, whatever the status of the video', async () => {
    const documented = new Documented('get', '/v1/videos/{videoId}')
    const client = await aClient()
    const wishes = {
      enableTranscription: true,
      enableAiAnalysis: true,
      enableThumbnail: true,
      removeSegments: [{ startTime: 1, endTime: 2 }],
      elements: [{ type: 'image', url: 'https://media.example.com/logo.png' }],
      metadata: { own: { id: 7 } },
    }
    const queued = await aVideo(client, wishes)
    documented.check(200, await client.get(`/v1/videos/${queued.videoId}`))
    const running = await aRunningVideo(standIns, client, wishes)
    await running.attempt.progress(40)
    documented.check(200, await client.get(`/v1/videos/${running.videoId}`))
    await running.attempt.fail({ retryable: false, reason: 'source_unreachable' })
    documented.check(200, await client.get(`/v1/videos/${running.videoId}`))
    const finished = await aFinishedVideo(standIns, client, wishes)
    documented.check(200, await client.get(`/v1/videos/${finished.videoId}`))
    documented.check(404, await client.get(nobodysVideo))
    await checkKeyFailures(documented, 'videos:read', nobodysVideo)
    documented.expectComplete()
  })
})

describe('PATCH /v1/videos/{videoId}', () => {
  it('answers as documented', async () => {
    const documented = new Documented('patch', '/v1/videos/{videoId}')
    const client = await aClient()
    const { videoId } = await aVideo(client)
    const path = `/v1/videos/${videoId}`
    documented.check(200, await client.patch(path, { videoName: 'Other' }))
    documented.check(400, await client.patch(path, { videoName: '' }))
    documented.check(404, await client.patch(nobodysVideo, { videoName: 'Other' }))
    documented.check(413, await client.patch(path, tooLong))
    await checkKeyFailures(documented, 'videos:write', path, { videoName: 'Other' })
    documented.expectComplete()
  })
})

describe('POST /v1/videos/{videoId}/cancel', () => {
  it('answers as documented', async () => {
    const documented = new Documented('post', '/v1/videos/{videoId}/cancel')
    const client = await aClient()
    const { videoId } = await aVideo(client)
    const path = `/v1/videos/${videoId}/cancel`
    documented.check(200, await client.post(path))
    documented.check(200, await client.post(path))
    const finished = await aFinishedVideo(standIns, client)
    documented.check(409, await client.post(`/v1/videos/${finished.videoId}/cancel`))
    documented.check(404, await client.post(`${nobodysVideo}/cancel`))
    await checkKeyFailures(documented, 'videos:write', path)
    documented.expectComplete()
  })
})

describe('DELETE /v1/videos/{videoId}', () => {
  it('answers as documented', async () => {
    const documented = new Documented('delete', '/v1/videos/{videoId}')
    const client = await aClient()
    const { videoId } = await aFinishedVideo(standIns, client)
    documented.check(204, await client.delete(`/v1/videos/${videoId}`))
    documented.check(404, await client.delete(`/v1/videos/${videoId}`))
    const unfinished = await aVideo(client)
    documented.check(409, await client.delete(`/v1/videos/${unfinished.videoId}`))
    await checkKeyFailures(documented, 'videos:write', nobodysVideo)
    documented.expectComplete()
  })
})

describe('GET /v1/videos/{videoId}/transcript', () => {
  it('answers as documented', async () => {
    const documented = new Documented('get', '/v1/videos/{videoId}/transcript')
    const client = await aClient()
    const pending = await aVideo(client, { enableTranscription: true })
    documented.check(409, await client.get(`/v1/videos/${pending.videoId}/transcript`))
    const without = await aVideo(client)
    documented.check(404, await client.get(`/v1/videos/${without.videoId}/transcript`))
    const { videoId } = await aTranscribedVideo(standIns, client)
    documented.check(200, await client.get(`/v1/videos/${videoId}/transcript`))
    documented.check(200, await client.get(`/v1/videos/${videoId}/transcript?format=json`))
    documented.check(400, await client.get(`/v1/videos/${videoId}/transcript?format=doc`))
    const path = `${nobodysVideo}/transcript`
    await checkKeyFailures(documented, 'videos:read', path)
    documented.expectComplete()
  })
})

describe('GET /v1/jobs/{jobId}', () => {
  it('answers as documented, however the job ended', async () => {
    const documented = new Documented('get', '/v1/jobs/{jobId}')
    const client = await aClient()
    const queued = await aVideo(client)
    documented.check(200, await client.get(`/v1/jobs/${queued.jobId}`))
    const running = await aRunningVideo(standIns, client)
    documented.check(200, await client.get(`/v1/jobs/${running.jobId}`))
    await running.attempt.fail({ retryable: false })
    documented.check(200, await client.get(`/v1/jobs/${running.jobId}`))
    const finished = await aFinishedVideo(standIns, client)
    documented.check(200, await client.get(`/v1/jobs/${finished.jobId}`))
    const path = '/v1/jobs/j_unknown'
    documented.check(404, await client.get(path))
    await checkKeyFailures(documented, 'videos:read', path)
    documented.expectComplete()
  })
})

describe('GET and HEAD /files/{token}/{name}', () => {
  async function aFile(): Promise<string> {
    const client = await aClient()
    const { videoId } = await aFinishedVideo(standIns, client)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    return new URL(String(json['finalVideoUrl'])).pathname
  }

  it.each(['get', 'head'] as const)('%s answers as documented', async (method) => {
    const documented = new Documented(method, '/files/{token}/{name}')
    const path = await aFile()
    const ask = async (headers: Record<string, string>, at = path): Promise<Answer> =>
      send(at, { method: method.toUpperCase(), headers })
    documented.check(200, await ask({}))
    if (method === 'get') {
      documented.check(206, await ask({ Range: 'bytes=0-3' }))
      documented.check(416, await ask({ Range: 'bytes=1000-' }))
    }
    documented.check(304, await ask({ 'If-None-Match': '*' }))
    documented.check(403, await ask({}, '/files/forged/a.mp4'))
    documented.check(412, await ask({ 'If-Match': '"other"' }))
    documented.check(500, await withoutDatabase(() => ask({})))
    const { objects } = await bindings.BUCKET.list({ prefix: `videos/${path.slice(7, 17)}/` })
    await bindings.BUCKET.delete(objects.map(({ key }) => key))
    documented.check(404, await ask({}))
    documented.expectComplete()
  })
})

describe('GET /health', () => {
  it('answers as documented', async () => {
    const documented = new Documented('get', '/health')
    advanceSeconds(11)
    documented.check(200, await send('/health'))
    advanceSeconds(11)
    standIns.media.current.answerHealth = () => new Response(null, { status: 500 })
    documented.check(503, await send('/health'))
    advanceSeconds(2)
    documented.check(500, await withoutSettings('/health'))
    documented.expectComplete()
  })

  /** The same app on a machine where nothing is configured. */
  async function withoutSettings(path: string): Promise<Answer> {
    const response = await createApp().request(path, {}, {})
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, text, json: JSON.parse(text) as Answer['json'] }
  }
})

describe('GET /openapi.json and /docs', () => {
  it.each(['/openapi.json', '/docs'])('%s answers as documented', async (path) => {
    const documented = new Documented('get', path)
    const answer = await send(path)
    documented.check(200, answer)
    const etag = answer.headers.get('ETag') ?? ''
    documented.check(304, await send(path, { headers: { 'If-None-Match': etag } }))
    documented.expectComplete()
  })

  it.each(['/openapi.json', '/docs'])('%s names our address, not the one asked', async (path) => {
    const { text } = await send(`http://evil.example${path}`)
    expect(text).toContain(bindings.BASE_URL)
    expect(text).not.toContain('evil.example')
  })
})

describe('a webhook event', () => {
  const wishes = {
    webhookUrl: 'https://hooks.example.com/spool',
    metadata: { order: 1 },
    enableThumbnail: true,
  }
  const endings: Record<(typeof endEventTypes)[number], (client: Client) => Promise<Created>> = {
    'video.succeeded': (client) => aFinishedVideo(standIns, client, wishes),
    'video.failed': async (client) => {
      const failed = await aRunningVideo(standIns, client, wishes)
      await failed.attempt.fail({ retryable: false })
      return failed
    },
    'video.canceled': async (client) => {
      const canceled = await aVideo(client, wishes)
      await client.post(`/v1/videos/${canceled.videoId}/cancel`)
      return canceled
    },
  }
  /** What docs/webhooks.md promises beside the fields of every record. */
  const told: Record<(typeof endEventTypes)[number], readonly string[]> = {
    'video.succeeded': ['jobId', 'finalVideoUrl', 'thumbnailUrl', 'linksExpireAt'],
    'video.failed': ['jobId', 'reason', 'errorMessage'],
    'video.canceled': ['jobId'],
  }

  it('has the body that is documented, whatever the end', async () => {
    const client = await aClient()
    const events = (
      await Promise.all(
        endEventTypes.map(async (type) => eventRows((await endings[type](client)).videoId)),
      )
    ).flat()
    expect(events.map(({ type }) => type)).toEqual([...endEventTypes])
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes, 'webhook.test'])
    for (const { body } of events) expectWebhookEvent(JSON.parse(body))
  })

  it.each(endEventTypes)('has all that the record has, at the end of a %s', async (type) => {
    const client = await aClient()
    const { videoId } = await endings[type](client)
    const { json: record } = await client.get(`/v1/videos/${videoId}`)
    const [event] = await eventRows(videoId)
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ type, data: record })
    expect(Object.keys(record)).toEqual(expect.arrayContaining([...told[type]]))
  })
})

describe('every documented address', () => {
  it('refuses another method as documented, naming those that are documented', async () => {
    const client = await aClient()
    const refusal = document.components.responses['MethodNotAllowed']
    if (!refusal) throw new Error('405 is not described')
    for (const [path, item] of Object.entries(document.paths)) {
      const method = 'put' in item ? 'PATCH' : 'PUT'
      const answer = await client.send(path.replaceAll(/[{}]/g, ''), { method })
      expect(answer.status, path).toBe(405)
      const allowed = answer.headers.get('Allow')?.split(', ').sort()
      const methods = Object.keys(item).map((method) => method.toUpperCase())
      expect(allowed, path).toEqual(
        [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort(),
      )
      checkAnswer(answer, refusal)
    }
  })

  it('is an address of the service, which has no other public ones', () => {
    // What is there for media workers, browsers and readers, crawlers and the operator is not part of the interface.
    const own =
      /^\/((internal|app|scripts|client|docs)\/|((favicon|robots|llms.*)\..+|metrics|mcp|app)?$)/
    const served = createApp()
      .routes.filter(({ method, path }) => method !== 'ALL' && !own.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        // The router answers HEAD wherever it answers GET.
        .filter((method) => method !== 'head')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual([...new Set(served)].sort())
  })
})

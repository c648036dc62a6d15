import { describe, expect, it } from 'vitest'
import {
  endEventTypes,
  webhookEventTypes,
} from '../../../worker/contract/webhooks/webhook-event.ts'
import { createApp } from '../../../worker/app.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Client } from '../../support/worker/client.ts'
import { document, faultsOf, faultsOfEvent, judgeAnswer } from '../../support/worker/documented.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aVideo,
  eventRows,
  type Created,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

it('GET /health answers as documented where nothing is configured', async () => {
  const response = await createApp().request('/health', {}, {})
  expect(response.status).toBe(500)
  const text = await response.text()
  const answer = {
    ...response,
    headers: response.headers,
    text,
    json: JSON.parse(text) as unknown,
  }
  judgeAnswer('GET', '/health', { ...answer, status: 500 })
})

describe('GET /openapi.json and /docs', () => {
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
    'video.succeeded': (client) => aFinishedVideo(client, wishes),
    'video.failed': async (client) => {
      const failed = await aRunningVideo(client, wishes)
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
    for (const { body } of events) expect(faultsOfEvent(JSON.parse(body))).toEqual([])
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
      expect(faultsOf(answer, refusal), path).toEqual([])
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

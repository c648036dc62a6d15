import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import { courier } from '../../../worker/durable/courier.ts'
import { namedKind, partKind } from '../../../worker/contract/job/media-job.ts'
import { webhookEvent } from '../../../worker/contract/webhooks/webhook-event.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import type { S3Request } from '../../support/worker/storages/s3-stand-in.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import {
  aStorage,
  placesOf,
  putStorage,
  saying,
  standInS3,
  storageOf,
} from '../../support/worker/storages/storages.ts'
import { tick } from '../../support/worker/tick.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  eventRows,
  objectKeys,
  type Started,
} from '../../support/worker/videos.ts'
import { finalText } from '../../support/worker/attempt.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

/** Lets time pass, with the tenth by which a wait may be longer, and runs the courier as often as it wants to then. */
async function carry({ videoId }: { videoId: string }, seconds = 0): Promise<void> {
  advanceSeconds(Math.ceil(seconds * 1.11))
  for (let i = 0; i < 20; i++) {
    const at = await runInDurableObject(courier(bindings, videoId), async (_, { storage }) =>
      storage.getAlarm(),
    )
    if (at === null || at > Date.now()) return
    await runDurableObjectAlarm(courier(bindings, videoId))
  }
  throw new Error('the courier never rests')
}

/** Somebody whose storage is called out. */
async function aCustomer(): Promise<Client> {
  const client = await aClient()
  await aStorage(client, s3.current)
  return client
}

async function expectDestinations(client: Client, started: { videoId: string }, ...all: object[]) {
  expect((await client.record(started.videoId))['destinations']).toMatchObject(all)
}

function textAt(key: string): string | undefined {
  const found = s3.current.objects.get(key)
  return found && new TextDecoder().decode(found.bytes)
}

async function eventTypes({ videoId }: { videoId: string }): Promise<string[]> {
  return (await eventRows(videoId)).map(({ type }) => type).sort()
}

async function isUndelivered({ videoId }: { videoId: string }): Promise<boolean> {
  const rows = bindings.DB.prepare('SELECT count(*) AS n FROM undelivered WHERE video_id = ?')
  return (await rows.bind(videoId).first<number>('n')) === 1
}

const webhookUrl = 'https://hooks.example.com/spool'

/** A finished video of two results, of which the second has three files. */
async function severalResults(client: Client, destinations: object[]): Promise<Started> {
  const outputs = [{ name: 'web' }, { name: 'stream' }]
  const started = await aRunningVideo(client, { outputs, destinations, webhookUrl })
  const { attempt } = started
  const playlist = { extension: 'm3u8', contentType: 'application/vnd.apple.mpegurl' }
  const parts = [partKind('stream', 'v720'), partKind('stream', 'v360')]
  const written = [
    await attempt.upload('final', finalText),
    await attempt.upload(namedKind('stream'), 'v720.mp4', playlist),
    ...(await Promise.all(parts.map(async (kind) => attempt.upload(kind, `bytes of ${kind}`)))),
  ]
  const facts = { format: 'mp4', duration: 2.5, warnings: [] }
  const answer = await attempt.succeed(written, {
    named: [
      { name: 'web', kind: 'final', ...facts },
      { name: 'stream', kind: namedKind('stream'), files: parts, ...facts },
    ],
  })
  expect(answer.status, answer.text).toBe(200)
  return started
}

describe('a video with a destination', () => {
  it('is delivered once it has succeeded, and told', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'out', { prefix: 'done' })
    const lines = recordLog()
    const destinations = [{ storage: 'out', key: '{date}/{videoName}.{extension}' }]
    const request = { destinations, webhookUrl, videoName: 'A/B talk' }
    const started = await aRunningVideo(client, request)
    const date = new Date().toISOString().slice(0, 10)
    const delivery = { storage: 'out', key: `${date}/A_B talk.mp4`, output: 'video' }
    await expectDestinations(client, started, { ...delivery, state: 'pending' })
    await started.attempt.finish()
    expect(await client.record(started.videoId)).toMatchObject({
      status: 'succeeded',
      destinations: [{ ...delivery, state: 'pending' }],
    })
    await carry(started)
    expect(textAt(`done/${date}/A_B talk.mp4`)).toBe(finalText)
    const record = await client.record(started.videoId)
    expect(record).toMatchObject({ destinations: [{ ...delivery, state: 'delivered' }] })
    expect(record['finalVideoUrl']).toBeDefined()
    const events = await eventRows(started.videoId)
    expect(events.map(({ type }) => type)).toEqual(['video.succeeded', 'destinations.delivered'])
    const { data } = webhookEvent.parse(JSON.parse(events[1]?.body ?? ''))
    expect(data).toMatchObject({ destinations: [{ ...delivery, state: 'delivered' }] })
    expect(await isUndelivered(started)).toBe(false)
    await runInDurableObject(courier(bindings, started.videoId), async (_, { storage }) => {
      expect(storage.sql.exec('SELECT name FROM sqlite_master').toArray()).toEqual([])
    })
    const { secretAccessKey } = s3.current.identity
    expect(await placesOf(secretAccessKey)).toEqual([])
    expect(lines.texts.join()).not.toContain(secretAccessKey)
    expect(JSON.stringify(started.attempt.job)).not.toMatch(/destinations|done/)
  })

  it('keeps the files of one output beside each other', async () => {
    const client = await aCustomer()
    const started = await severalResults(client, [{ storage: 'out' }])
    await carry(started)
    const { videoId } = started
    expect([...s3.current.objects.keys()].sort()).toEqual([
      `${videoId}/stream/index.m3u8`,
      `${videoId}/stream/v360.mp4`,
      `${videoId}/stream/v720.mp4`,
      `${videoId}/web.mp4`,
    ])
    expect((await client.record(started.videoId))['destinations']).toEqual([
      { storage: 'out', key: `${videoId}/web.mp4`, output: 'web', state: 'delivered' },
      { storage: 'out', key: `${videoId}/stream/index.m3u8`, output: 'stream', state: 'delivered' },
    ])
    const type = s3.current.objects.get(`${videoId}/stream/index.m3u8`)?.contentType
    expect(type).toBe('application/vnd.apple.mpegurl')
  })

  it('goes up in parts if it is large, and goes on after its object has died', async () => {
    const client = await aCustomer()
    const large = 'x'.repeat(20_000_000)
    const started = await aRunningVideo(client, { destinations: [{ storage: 'out' }] })
    await started.attempt.succeed([await started.attempt.upload('final', large)])
    s3.current.interfere = ({ query }) => {
      if (query.get('partNumber') === '2') throw new Error('Network connection lost.')
      return undefined
    }
    await carry(started)
    await expectDestinations(client, started, {
      state: 'pending',
      reason: saying('the connection failed'),
    })
    forgetAll()
    s3.current.interfere = () => undefined
    s3.current.requests.length = 0
    await carry(started, 5)
    const sent = s3.current.requests.map(
      ({ method, query }) => `${method} ${query.get('partNumber')}`,
    )
    expect(sent).toEqual(['PUT 2', 'PUT 3', 'POST null', 'HEAD null'])
    expect(textAt(`${started.videoId}/video.mp4`)).toBe(large)
    expect(s3.current.uploads.size).toBe(0)
    await expectDestinations(client, started, { state: 'delivered' })
  })

  const once = (fault: (asked: S3Request) => Response | undefined) => {
    let struck = false
    return (asked: S3Request) => {
      const answer = struck ? undefined : fault(asked)
      struck ||= answer !== undefined
      return answer
    }
  }

  it.each<[string, (asked: S3Request) => Response | undefined]>([
    ['a 503', ({ method }) => (method === 'PUT' ? new Response(null, { status: 503 }) : undefined)],
    [
      'another ETag than that of what was written',
      ({ method }) =>
        method === 'HEAD'
          ? new Response(null, { headers: { ETag: '"other"', 'Content-Length': '26' } })
          : undefined,
    ],
    [
      'another size',
      ({ method }) =>
        method === 'HEAD' ? new Response(null, { headers: { 'Content-Length': '1' } }) : undefined,
    ],
  ])('is tried again after %s, and leaves one object', async (_, fault) => {
    const client = await aCustomer()
    s3.current.interfere = once(fault)
    const started = await aFinishedVideo(client, { destinations: [{ storage: 'out' }] })
    await carry(started)
    await expectDestinations(client, started, { state: 'pending' })
    await carry(started, 5)
    await expectDestinations(client, started, { state: 'delivered' })
    expect(s3.current.objects.size).toBe(1)
  })

  it('starts over when the bucket has forgotten its upload, but not for ever', async () => {
    const client = await aCustomer()
    const started = await aRunningVideo(client, { destinations: [{ storage: 'out' }] })
    const large = 'x'.repeat(9_000_000)
    await started.attempt.succeed([await started.attempt.upload('final', large)])
    s3.current.interfere = ({ query }) => {
      if (query.get('partNumber') === '2') s3.current.uploads.clear()
      return undefined
    }
    for (const seconds of [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000]) {
      await carry(started, seconds)
    }
    await expectDestinations(client, started, {
      state: 'failed',
      reason: saying('attempts; the last one: an object could not be written'),
    })
    expect(await isUndelivered(started)).toBe(false)
  })

  it('fails when its schedule is over, with what the bucket has answered, and keeps our copy', async () => {
    const client = await aCustomer()
    const destinations = [{ storage: 'out', keep: false }]
    const started = await aFinishedVideo(client, { destinations, webhookUrl })
    s3.current.interfere = () =>
      new Response('<Error><Code>AccessDenied</Code><Message>No</Message></Error>', { status: 403 })
    for (const seconds of [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000]) {
      await carry(started, seconds)
    }
    const record = await client.record(started.videoId)
    expect(record).toMatchObject({
      status: 'succeeded',
      destinations: [
        {
          state: 'failed',
          reason:
            'Not delivered in 8 attempts; the last one: an object could not be written (PUT): the storage answered 403, AccessDenied: No',
        },
      ],
    })
    expect(record['finalVideoUrl']).toBeDefined()
    expect(await eventTypes(started)).toEqual(['destinations.failed', 'video.succeeded'])
  })

  it('uses the key that was saved last, and fails when its storage is deleted', async () => {
    const client = await aCustomer()
    const started = await aFinishedVideo(client, { destinations: [{ storage: 'out' }] })
    Object.assign(s3.current.identity, { secretAccessKey: 'a-new-secret' })
    await carry(started)
    await expectDestinations(client, started, {
      state: 'pending',
      reason: saying('SignatureDoesNotMatch'),
    })
    expect((await putStorage(client, 'out', storageOf(s3.current))).status).toBeLessThan(300)
    await carry(started, 5)
    await expectDestinations(client, started, { state: 'delivered' })
    const other = await aFinishedVideo(client, { destinations: [{ storage: 'out' }] })
    await client.delete('/v1/storages/out')
    await carry(other)
    await expectDestinations(client, other, {
      state: 'failed',
      reason: 'The storage out was deleted',
    })
  })

  it('is not kept here once all its deliveries were made, if it is not to be', async () => {
    const client = await aCustomer()
    const destinations = [
      { storage: 'out', outputs: ['stream'], keep: false },
      { storage: 'out', key: 'copy/{name}.{extension}' },
    ]
    const started = await severalResults(client, destinations)
    const keptBytes = async () =>
      bindings.DB.prepare('SELECT kept_bytes FROM usage_totals WHERE account_id = ?')
        .bind(client.accountId)
        .first<number>('kept_bytes')
    const before = (await keptBytes()) ?? 0
    await carry(started)
    const record = await client.record(started.videoId)
    expect(record['finalVideoUrl']).toBeDefined()
    const [web, stream] = record['outputs'] as Record<string, unknown>[]
    expect([web?.['url'], stream?.['url']]).toEqual([expect.any(String), undefined])
    expect(record['warnings']).toEqual([
      'stream was delivered and is not kept here any more, because of keep: false.',
    ])
    expect((await objectKeys(started.videoId)).map((key) => key.split('/').at(-1))).toEqual([
      'final.mp4',
    ])
    expect(await keptBytes()).toBeLessThan(before)
    expect(await keptBytes()).toBe(finalText.length)
    await client.delete(`/v1/videos/${started.videoId}`)
    expect(await keptBytes()).toBe(0)
  })

  it('says so when nothing of it is kept here any more', async () => {
    const client = await aCustomer()
    const destinations = [{ storage: 'out', keep: false }]
    const started = await aFinishedVideo(client, { destinations })
    await carry(started)
    const record = await client.record(started.videoId)
    expect(record['finalVideoUrl']).toBeUndefined()
    expect(record['warnings']).toEqual([
      'video was delivered and is not kept here any more, because of keep: false.',
    ])
  })

  it('ends its deliveries when it is deleted, and drops what it has begun', async () => {
    const client = await aCustomer()
    const started = await aRunningVideo(client, { destinations: [{ storage: 'out' }] })
    const large = 'x'.repeat(9_000_000)
    await started.attempt.succeed([await started.attempt.upload('final', large)])
    s3.current.interfere = ({ query }) =>
      query.get('partNumber') === '2' ? new Response(null, { status: 500 }) : undefined
    await carry(started)
    expect(s3.current.uploads.size).toBe(1)
    expect((await client.delete(`/v1/videos/${started.videoId}`)).status).toBe(204)
    await carry(started)
    expect(s3.current.uploads.size).toBe(0)
    expect(s3.current.objects.size).toBe(0)
    expect(await isUndelivered(started)).toBe(false)
  })

  it('is delivered by the sweep if its courier was never told', async () => {
    const client = await aCustomer()
    const started = await aFinishedVideo(client, { destinations: [{ storage: 'out' }] })
    await runInDurableObject(courier(bindings, started.videoId), async (_, { storage }) =>
      storage.deleteAll(),
    )
    await carry(started)
    expect(s3.current.objects.size).toBe(0)
    advanceSeconds(600)
    await tick()
    await carry(started)
    expect(s3.current.objects.size).toBe(1)
  })

  it('says why there is nothing to deliver', async () => {
    const client = await aCustomer()
    const started = await aRunningVideo(client, { destinations: [{ storage: 'out' }] })
    await started.attempt.fail({ retryable: false })
    await expectDestinations(client, started, {
      state: 'failed',
      reason: 'The video failed, so there is nothing to deliver',
    })
    expect(await isUndelivered(started)).toBe(false)
  })

  it('says that it did nothing where no file is made', async () => {
    const client = await aCustomer()
    const request = { analyzeOnly: true, destinations: [{ storage: 'out' }] }
    const started = await aRunningVideo(client, request)
    await started.attempt.succeed([], { suggestions: [] })
    expect(await client.record(started.videoId)).toMatchObject({
      status: 'succeeded',
      destinations: [],
      warnings: ['analyzeOnly: no video was made, so these did nothing: destinations.'],
    })
    expect(await isUndelivered(started)).toBe(false)
  })

  it('may stand in a preset', async () => {
    const client = await aCustomer()
    const fields = { destinations: [{ storage: 'out' }] }
    await client.request('PUT', '/v1/presets/mine', { fields })
    const started = await aFinishedVideo(client, { preset: 'mine' })
    await carry(started)
    expect(textAt(`${started.videoId}/video.mp4`)).toBe(finalText)
  })
})

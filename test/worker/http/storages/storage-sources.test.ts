import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { refusal } from '../../../support/worker/client.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import {
  aStorage,
  placesOf,
  s3Endpoint,
  saying,
  standInS3,
} from '../../../support/worker/storages/storages.ts'
import { aField, aFile, upload } from '../../../support/worker/upload-form.ts'
import { aVideo, start } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()
const s3 = standInS3(media)

async function put(key: string, text: string): Promise<void> {
  const bytes = Uint8Array.from(new TextEncoder().encode(text))
  s3.current.objects.set(key, { bytes, etag: '"e"', contentType: null })
}

/** What a media worker gets at an address. */
async function fetched(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await s3.current.take(new Request(url, init))
  return answer.ok ? new TextDecoder().decode(await answer.arrayBuffer()) : String(answer.status)
}

describe('a source in a storage', () => {
  it('becomes an address for this one object when the job is built, and nowhere else', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'raw', { prefix: 'in' })
    await put("in/My talk (1)+50%'s.mp4", 'the talk')
    const fileUrl = "storage://raw/My%20talk%20(1)+50%25's.mp4"
    const lines = recordLog()
    const { attempt, videoId } = await start(await aVideo(client, { fileUrl }))
    const [input] = attempt.job.inputs
    expect(input).toMatchObject({ field: 'fileUrl', origin: 'customer' })
    const url = input?.url ?? ''
    expect(new URL(url).origin).toBe(s3Endpoint)
    expect(await fetched(url)).toBe('the talk')
    expect(await fetched(url, { headers: { Range: 'bytes=4-7' } })).toBe('talk')
    expect(await fetched(url, { method: 'PUT', body: 'mine' })).toBe('403')
    expect(await fetched(url.replace('My%20talk', 'other'))).toBe('403')
    await attempt.finish()
    const record = await client.record(videoId)
    expect(record).toMatchObject({ status: 'succeeded', fileUrl, videoName: "My talk (1)+50%'s" })
    expect(JSON.stringify(record)).not.toContain('X-Amz')
    expect(await placesOf('X-Amz')).toEqual([])
    expect(await placesOf(s3.current.identity.secretAccessKey)).toEqual([])
    expect(lines.texts.join()).not.toMatch(/X-Amz|aSecret/)
    expect(JSON.stringify(attempt.job)).not.toContain(s3.current.identity.secretAccessKey)
  })

  it('may stand wherever an address may, and is signed once for each object', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'raw')
    const names = ['a.mp4', 'logo.png', 'font.ttf', 'words.srt']
    for (const name of names) await put(name, name)
    const at = (name: string) => `storage://raw/${name}`
    const { attempt } = await start(
      await aVideo(client, {
        fileUrl: undefined,
        combine: true,
        files: [{ url: at('a.mp4') }, { url: at('%61.mp4') }],
        elements: [
          { type: 'image', url: at('logo.png') },
          { type: 'text', text: 'Hi', font: at('font.ttf') },
        ],
        captions: { font: at('font.ttf'), source: { url: at('words.srt') } },
      }),
    )
    const { inputs, elementSources, beside } = attempt.job
    const addresses = [...inputs, ...(elementSources ?? []), ...(beside ?? [])].flatMap(
      (one) => one?.url ?? [],
    )
    expect(addresses).toHaveLength(6)
    expect(new Set(addresses).size).toBe(4)
    const contents = await Promise.all(addresses.map(async (url) => fetched(url)))
    expect(new Set(contents)).toEqual(new Set(names))
  })

  it.each<[string, object, string, string]>([
    [
      'a storage that is not there',
      { fileUrl: 'storage://archiv/a.mp4' },
      'fileUrl',
      'no storage archiv; did you mean archive?',
    ],
    ['a key out of the prefix', { fileUrl: 'storage://raw/%2e%2e/a.mp4' }, 'fileUrl', '. or ..'],
    ['no key', { fileUrl: 'storage://raw' }, 'fileUrl', 'Must name a file'],
    ['no name', { fileUrl: 'storage:///a.mp4' }, 'fileUrl', 'the name of a storage'],
    ['a query', { fileUrl: 'storage://raw/a.mp4?x=1' }, 'fileUrl', 'Must write ? as %3F'],
    ['a wrong escape', { fileUrl: 'storage://raw/50%.mp4' }, 'fileUrl', 'write it as %25'],
    ['a long key', { fileUrl: `storage://raw/${'x'.repeat(1020)}` }, 'fileUrl', 'at most 1024'],
    ['a webhook', { webhookUrl: 'storage://raw/a' }, 'webhookUrl', 'http:// or https://'],
    [
      'an element',
      { elements: [{ type: 'image', url: 'storage://nowhere/a.png' }] },
      'elements[0].url',
      'There is no storage nowhere; add it with PUT /v1/storages/nowhere, or under Storages in the dashboard',
    ],
  ])('is refused where it cannot be: %s', async (_, request, field, message) => {
    const client = await aClient()
    await aStorage(client, s3.current, 'archive')
    await aStorage(client, s3.current, 'raw', { prefix: 'in/here' })
    const body = { fileUrl: 'https://media.example.com/a.mp4', ...request }
    const answer = await client.post('/v1/videos', body)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toEqual([{ field, message: saying(message) }])
  })

  it('is judged in a form too', async () => {
    const client = await aClient()
    const elements = JSON.stringify([{ type: 'image', url: 'storage://raw/logo.png' }])
    const answer = await upload(client, [aField('elements', elements), aFile()])
    expect(refusal(answer)).toMatchObject({
      status: 400,
      message: saying('elements[0].url: There is no storage raw'),
    })
  })

  it('fails the video if the storage has gone before the job is built', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'raw')
    const created = await aVideo(client, { fileUrl: 'storage://raw/a.mp4' })
    await client.delete('/v1/storages/raw')
    await queue.current.deliverNext(created.jobId)
    expect(await client.record(created.videoId)).toMatchObject({
      status: 'failed',
      reason: 'source_unreachable',
      errorMessage: 'fileUrl: the storage raw was deleted.',
    })
    expect(media.current.offersOf(created.jobId)).toEqual([])
  })

  it('is of the account that asks', async () => {
    const [client, other] = [await aClient(), await aClient()]
    await aStorage(other, s3.current, 'raw')
    const answer = await client.post('/v1/videos', { fileUrl: 'storage://raw/a.mp4' })
    expect(answer.status).toBe(400)
  })

  it('answers a repeated request as before, also if the storage has gone since', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'raw')
    const create = async () =>
      client.post('/v1/videos', { fileUrl: 'storage://raw/a.mp4' }, { 'Idempotency-Key': 'one' })
    const first = await create()
    await client.delete('/v1/storages/raw')
    const again = await create()
    expect([again.status, again.text]).toEqual([202, first.text])
  })
})

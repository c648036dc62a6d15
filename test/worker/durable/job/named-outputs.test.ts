import { describe, expect, it } from 'vitest'
import type { UploadedOutput } from '../../../../worker/contract/job/report.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { type Attempt, finalText } from '../../../support/worker/attempt.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { fileAt } from '../../../support/worker/clients/files.ts'
import { aRunningVideo, eventRows, videoRow } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const request = {
  webhookUrl: 'https://hooks.example.com/',
  outputs: [
    { name: 'podcast', outputFormat: 'mp3' },
    { name: 'web' },
    { name: 'phone', aspectRatio: '9:16' },
  ],
}

const named = [
  { name: 'podcast', kind: 'output-podcast', format: 'mp3', duration: 2.5, warnings: [] },
  ...(['final', 'output-phone'] as const).map((kind, i) => ({
    ...{ name: ['web', 'phone'][i], kind, format: 'mp4' },
    ...{ width: 640, height: 360, duration: 2.5, warnings: ['It is dark.'] },
  })),
]

async function aRunningJob() {
  return aRunningVideo(undefined, request)
}

describe('a video with several outputs', () => {
  it('tells the media worker which, and shows each with its link once all are stored', async () => {
    const { client, videoId, attempt } = await aRunningJob()
    expect(attempt.job.options.outputs).toEqual(request.outputs)
    expect(attempt.job.title).toEqual(expect.any(String))
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
      await attempt.upload('output-phone', 'the tall one'),
    ]
    expect((await attempt.succeed(written, { named })).status).toBe(200)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const record = json as { finalVideoUrl: string; outputs: { url: string }[] }
    expect(record).toMatchObject({
      status: 'succeeded',
      outputs: [
        { name: 'podcast', outputFormat: 'mp3', format: 'mp3', bytes: 9, duration: 2.5 },
        { name: 'web', format: 'mp4', width: 640, height: 360, bytes: finalText.length },
        { name: 'phone', aspectRatio: '9:16', format: 'mp4', warnings: ['It is dark.'] },
      ],
    })
    expect(record.outputs[1]?.url).toBe(record.finalVideoUrl)
    const [, , phone] = record.outputs
    const { pathname, search } = new URL(phone?.url ?? '')
    expect((await fileAt(pathname + search, videoId).get()).text).toBe('the tall one')
    const [event] = await eventRows(videoId)
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({
      data: { outputs: [{ bytes: 9 }, {}, {}] },
    })
  })

  it('fails as a whole if one of them cannot be stored, and names it', async () => {
    const { videoId, attempt } = await aRunningJob()
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
    ]
    expect((await attempt.succeed(written, { named })).status).toBe(200)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
  })

  it('leaves nothing in the bucket once it is deleted', async () => {
    const { client, videoId, attempt } = await aRunningJob()
    const written = [
      await attempt.upload('output-podcast', 'the sound'),
      await attempt.upload('final', finalText),
      await attempt.upload('output-phone', 'the tall one'),
    ]
    await attempt.succeed(written, { named })
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect((await bindings.BUCKET.list({ prefix: `videos/${videoId}/` })).objects).toEqual([])
  })
})

const streamed = { outputs: [{ name: 'web' }, { name: 'stream' }] }

type Shown = { url?: string; files?: { url: string }[] }

describe('an output that consists of several files', () => {
  async function aStreamedVideo(written: (attempt: Attempt) => Promise<UploadedOutput[]>) {
    const { client, videoId, attempt } = await aRunningVideo(undefined, streamed)
    const told = [
      { name: 'web', kind: 'final', format: 'mp4', duration: 2.5, warnings: [] },
      {
        ...{ name: 'stream', kind: 'output-stream', format: 'hls', duration: 2.5, warnings: [] },
        files: ['output-stream.v360'],
      },
    ]
    await attempt.succeed(await written(attempt), { named: told })
    return { client, videoId }
  }

  it('is a folder: its address opens all of its files, by the names they call each other', async () => {
    const { client, videoId } = await aStreamedVideo(async (attempt) => [
      await attempt.upload('final', finalText),
      await attempt.upload('output-stream', 'see v360.mp4', { extension: 'm3u8' }),
      await attempt.upload('output-stream.v360', 'pictures', { extension: 'mp4' }),
    ])
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const { outputs } = json as { outputs: { url: string; files: { url: string }[] }[] }
    const [web, stream] = outputs
    expect(web).not.toHaveProperty('files')
    expect(stream).toMatchObject({
      bytes: 'see v360.mp4'.length + 'pictures'.length,
      files: [{ file: 'v360.mp4', bytes: 8 }],
    })
    const url = stream?.url ?? ''
    expect(url).toMatch(/\/index\.m3u8$/)
    expect(new URL('v360.mp4', url).href).toBe(stream?.files[0]?.url)
    const read = async (name: string) =>
      fileAt(new URL(name, url).pathname, videoId).get({ Range: 'bytes=2-4' })
    expect(await read('v360.mp4')).toMatchObject({ status: 206, text: 'ctu' })
    expect(await read('index.m3u8')).toMatchObject({ status: 206, text: 'e v' })
    expect(await read('v720.mp4')).toMatchObject({ status: 404 })
    // The token says which output, so it opens no other file of the video.
    const forged = new URL(url.replace('output-stream', 'final')).pathname
    expect(await fileAt(forged, videoId).get()).toMatchObject({ status: 403 })
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect(await read('v360.mp4')).toMatchObject({ status: 404 })
  })

  it('has stills saved by the name of the output, because they do not refer to each other', async () => {
    const client = await aClient()
    const outputs = [{ name: 'web' }, { name: 'poster', outputFormat: 'jpg', times: [1, 2] }]
    const { videoId, attempt } = await aRunningVideo(client, { outputs })
    const facts = { duration: 2.5, warnings: [] }
    const named = [
      { name: 'web', kind: 'final', format: 'mp4', ...facts },
      {
        name: 'poster',
        kind: 'output-poster',
        format: 'jpg',
        files: ['output-poster.2'],
        ...facts,
      },
    ]
    const written = [
      await attempt.upload('final', finalText),
      await attempt.upload('output-poster', 'one', { extension: 'jpg' }),
      await attempt.upload('output-poster.2', 'two', { extension: 'jpg' }),
    ]
    await attempt.succeed(written, { named })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const { url = '', files = [] } = (json['outputs'] as Shown[])[1] ?? {}
    const savedAs = async (address: string) => {
      const { pathname } = new URL(address)
      const { headers } = await fileAt(`${pathname}?download=1`, videoId).get()
      return /filename="([^"]*)"/.exec(headers.get('Content-Disposition') ?? '')?.[1]
    }
    expect(await savedAs(url)).toBe('poster.jpg')
    expect(await savedAs(files[0]?.url ?? '')).toBe('poster-2.jpg')
  })

  it('fails the attempt if one of its files is missing', async () => {
    const { videoId } = await aStreamedVideo(async (attempt) => [
      await attempt.upload('final', finalText),
      await attempt.upload('output-stream', 'see v360.mp4', { extension: 'm3u8' }),
    ])
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
  })
})

import { describe, expect, it, vi } from 'vitest'
import { videoAccepted } from '../../../../worker/contract/video/video-record.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { aVideo, jobRow, sourceUrl, videoRow } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

async function videosOf(client: Client): Promise<number> {
  const count = bindings.DB.prepare('SELECT count(*) AS n FROM videos WHERE account_id = ?')
  return (await count.bind(client.accountId).first<number>('n')) ?? 0
}

async function nameOf(client: Client, request: object): Promise<string | undefined> {
  const answer = await client.post('/v1/videos', request)
  return (await videoRow(videoAccepted.parse(answer.json).videoId))?.name
}

it('POST /v1/videos/plan says what a create would do, with the preset filled in, and makes nothing', async () => {
  const client = await aClient()
  const body = { fileUrl: sourceUrl, preset: 'clean-talk', removeNoise: false }
  const { status, json } = await client.post('/v1/videos/plan', body)
  expect(status).toBe(200)
  expect(json['steps']).toContain('cut the pauses in which nobody speaks')
  expect(json['request']).toMatchObject({ ...body, removeSilence: true, combine: false })
  expect((await client.get('/v1/videos')).json['data']).toEqual([])
})

describe('createVideo', () => {
  it('answers 202 with the ids once video, job and message exist', async () => {
    const client = await aClient()
    const answer = await client.post('/v1/videos', { fileUrl: sourceUrl })
    const { videoId, jobId } = videoAccepted.parse(answer.json)
    expect(answer.status).toBe(202)
    expect(answer.json).toEqual({
      videoId: expect.stringMatching(/^v_[0-9A-Za-z]{8}$/) as string,
      jobId: expect.stringMatching(/^j_[0-9A-Za-z]{16}$/) as string,
      status: 'queued',
      message: 'The video is queued for processing.',
    })
    expect(answer.headers.get('Location')).toBe(`/v1/videos/${videoId}`)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', createdAt: Date.now() })
    const sweepAfter = Date.now() + 120_000
    expect(await jobRow(jobId)).toMatchObject({ videoId, fence: 0, attempts: 0, sweepAfter })
    const body = { kind: 'dispatch', jobId, chain: 0 }
    expect(queue.current.sent).toEqual([{ body, delaySeconds: 0 }])
  })

  it('accepts the video even if the queue refuses its message', async () => {
    queue.current.fault = new Error('queue is down')
    const client = await aClient()
    const answer = await client.post('/v1/videos', { fileUrl: sourceUrl })
    expect(answer.status).toBe(202)
    expect(await videosOf(client)).toBe(1)
  })

  it('does not answer 202 if nothing could be stored', async () => {
    const client = await aClient()
    const batch = vi.spyOn(prototypeOf(bindings.DB), 'batch')
    batch.mockRejectedValue(new Error('D1_ERROR: the database is overloaded'))
    const answer = await client.post('/v1/videos', { fileUrl: sourceUrl })
    batch.mockRestore()
    expect(answer).toMatchObject({ status: 500, json: { error: 'StorageError' } })
    expect(await videosOf(client)).toBe(0)
    expect(queue.current.sent).toEqual([])
  })

  it('refuses sources that are addresses of this service, but accepts its file links', async () => {
    const client = await aClient()
    const own = `${bindings.STORAGE_URL}/v1/videos`
    expect((await client.post('/v1/videos', { fileUrl: own })).status).toBe(400)
    const link = `${bindings.STORAGE_URL}/files/some.token/clip.mp4`
    expect((await client.post('/v1/videos', { fileUrl: link })).status).toBe(202)
  })

  it('names a video after its source when the request does not', async () => {
    const client = await aClient()
    const at = (file: string) => `https://media.example.com/${file}`
    expect(await nameOf(client, { fileUrl: sourceUrl })).toBe('holiday')
    expect(await nameOf(client, { fileUrl: at('My%20trip%20%C3%BC%00.mov?x=1') })).toBe('My trip ü')
    const files = [{ url: at('a.mp4') }, { url: at('b.mp4') }, { url: at('c.mp4') }]
    expect(await nameOf(client, { files, combine: true })).toBe('a + 2 more')
    expect(await nameOf(client, { fileUrl: sourceUrl, videoName: 'Ünïcødé 🎬' })).toBe('Ünïcødé 🎬')
    expect(await nameOf(client, { fileUrl: at('') })).toMatch(/^v_[0-9A-Za-z]{8}$/)
  })

  it('mints another id when one is taken, and never writes over a video', async () => {
    const client = await aClient()
    const taken = await aVideo(client, { videoName: 'the first' })
    const batch = vi.spyOn(prototypeOf(bindings.DB), 'batch')
    batch.mockRejectedValueOnce(new Error('D1_ERROR: UNIQUE constraint failed: videos.id'))
    const second = await aVideo(client, { videoName: 'the second' })
    expect(second.videoId).not.toBe(taken.videoId)
    expect(await videoRow(taken.videoId)).toMatchObject({ name: 'the first' })
    expect(await videosOf(client)).toBe(2)
  })
})

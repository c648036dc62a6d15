import { describe, expect, it } from 'vitest'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { videoRecord } from '../../../../worker/contract/video/video-record.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { aTrace, someMetadata } from '../../../support/worker/attempt.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { refusal } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { aFinishedVideo, aRunningVideo, aVideo, sourceUrl } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const now = () => new Date().toISOString()
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

const names = ['videoId', 'jobId', 'videoName', 'status', 'progressPercent', 'hasTranscript']
const always = [...names, 'createdAt', 'lastUpdatedAt', 'analysis']
const whole = [...always, 'warnings']
const worked = [...whole, 'secondsElapsed']
/** What has a default is echoed although it was not asked for. */
const options = ['fileUrl', ...Object.keys(optionsSchema.parse({}))]

const keysOf = (record: object) => Object.keys(record).sort()

describe('readVideo', () => {
  it('shows a queued video with its job, its source, and every option as requested', async () => {
    const client = await aClient()
    const request = { metadata: { order: 7 }, removeSegments: [{ startTime: 1, endTime: 2 }] }
    const { videoId, jobId } = await aVideo(client, request)
    const answer = await client.get(`/v1/videos/${videoId}`)
    expect(answer.status).toBe(200)
    expect(keysOf(answer.json)).toEqual(
      [...always, ...options, 'metadata', 'removeSegments'].sort(),
    )
    expect(answer.json).toMatchObject({
      ...request,
      fileUrl: sourceUrl,
      compressionQuality: 100,
      analysis: { status: 'not_requested' },
      videoId,
      jobId,
      videoName: 'holiday',
      status: 'queued',
      progressPercent: 0,
      hasTranscript: false,
      createdAt: now(),
      lastUpdatedAt: now(),
    })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('shows a running video with its phase, progress, and the request', async () => {
    const client = await aClient()
    const request = { enableTranscription: true, enableAiAnalysis: true }
    const { videoId, jobId, attempt } = await aRunningVideo(client, request)
    const createdAt = now()
    advanceSeconds(3)
    await attempt.progress(41.7, 'rendering')
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(keysOf(json)).toEqual(
      [...always, ...options, 'phase', 'transcript', 'secondsElapsed'].sort(),
    )
    expect(json).toMatchObject({
      ...request,
      fileUrl: sourceUrl,
      videoId,
      jobId,
      videoName: 'holiday',
      status: 'running',
      phase: 'rendering',
      progressPercent: 41,
      hasTranscript: true,
      transcript: { status: 'pending' },
      analysis: { status: 'pending', progress: 0 },
      createdAt,
      lastUpdatedAt: now(),
    })
  })

  it('shows a finished video whole, with every option as it was sent', async () => {
    const client = await aClient()
    const request = {
      fileUrl: sourceUrl,
      videoName: 'A name',
      enableThumbnail: true,
      outputFormat: 'mov',
      backgroundColor: '#1A2B3C',
      removeSegments: [{ startTime: 1, endTime: 2.5 }],
      elements: [{ type: 'image', url: 'https://example.com/logo.png', comment: 'the logo' }],
      webhookUrl: 'https://hooks.example.com/',
      metadata: { order: 7, nested: { deep: [null] } },
    }
    const { videoId } = await aFinishedVideo(client, request)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(videoRecord.parse(json)).toEqual(json)
    expect(json).toMatchObject({
      ...request,
      videoId,
      status: 'succeeded',
      progressPercent: 100,
      hasTranscript: false,
      analysis: { status: 'not_requested' },
      videoMetadata: someMetadata,
      warnings: expect.any(Array) as string[],
      linksExpireAt: expect.any(String) as string,
      filesExpireAt: inDays(30).toISOString(),
    })
    const sent = ['removeSegments', 'elements', 'webhookUrl', 'metadata']
    const files = ['finalVideoUrl', 'thumbnailUrl', 'linksExpireAt', 'filesExpireAt']
    expect(keysOf(json)).toEqual([...worked, ...options, ...sent, ...files, 'videoMetadata'].sort())
    const link = new RegExp(`^${bindings.STORAGE_URL}/files/[^/]+/A%20name\\.mp4\\?object=[^/]+$`)
    expect(json['finalVideoUrl']).toMatch(link)
  })

  it('does not show a still that nobody asked for', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    const outputs = [
      await attempt.upload('final', 'a film'),
      await attempt.upload('thumbnail', 'a still'),
    ]
    await attempt.succeed(outputs)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toHaveProperty('finalVideoUrl')
    expect(json).not.toHaveProperty('thumbnailUrl')
  })

  it('shows a failed and a canceled video whole, with the reason, without what does not exist', async () => {
    const client = await aClient()
    const failed = await aRunningVideo(client)
    const failure = { reason: 'source_not_media', message: 'This is a PDF.' }
    await failed.attempt.fail({ ...failure, retryable: false })
    const record = await client.record(failed.videoId)
    expect(keysOf(record)).toEqual([...worked, ...options, 'reason', 'errorMessage'].sort())
    const { jobId } = failed
    const { reason, message: errorMessage } = failure
    expect(record).toMatchObject({ status: 'failed', jobId, reason, errorMessage })
    expect((await client.get('/v1/videos?status=failed')).json).toEqual({
      data: [record],
      archived: false,
      nextCursor: null,
    })

    const canceled = await aVideo(client)
    await client.post(`/v1/videos/${canceled.videoId}/cancel`)
    const after = await client.record(canceled.videoId)
    expect(keysOf(after)).toEqual([...whole, ...options].sort())
    expect(after['status']).toBe('canceled')
  })

  it('never shows 100 before the video has succeeded', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(99, 'uploading')
    expect((await client.record(videoId))['progressPercent']).toBe(99)
    await attempt.finish()
    expect((await client.record(videoId))['progressPercent']).toBe(100)
  })

  it('signs its links for seven days, but for no longer than the files are kept', async () => {
    const { client, videoId } = await aFinishedVideo()
    const expiry = async () => {
      const { json } = await client.get(`/v1/videos/${videoId}`)
      return Date.parse(String(json['linksExpireAt'])) / 1000
    }
    const seconds = (days: number) => Math.floor(inDays(days).getTime() / 1000)
    expect(await expiry()).toBe(seconds(7))
    advanceSeconds(25 * 86_400)
    expect(await expiry()).toBe(seconds(5))
    advanceSeconds(5 * 86_400)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).not.toHaveProperty('finalVideoUrl')
    expect(json).not.toHaveProperty('linksExpireAt')
  })

  it('gives the same answer, byte for byte, for a foreign, a missing and an impossible id', async () => {
    const { videoId } = await aVideo()
    const stranger = await aClient()
    const paths = ['', '/transcript', '/cancel']
    for (const path of paths) {
      const method = path === '/cancel' ? 'POST' : 'GET'
      const ask = async (id: string) => stranger.send(`/v1/videos/${id}${path}`, { method })
      const [foreign, missing, impossible] = [
        await ask(videoId),
        await ask('v_00000000'),
        await ask('not-an-id'),
      ]
      expect(refusal(foreign)).toEqual({
        status: 404,
        error: 'NotFound',
        message: 'Video not found.',
      })
      expect(missing.text).toBe(foreign.text)
      expect(impossible.text).toBe(foreign.text)
    }
    const changes = [
      await stranger.patch(`/v1/videos/${videoId}`, { videoName: 'mine' }),
      await stranger.patch('/v1/videos/v_00000000', { videoName: 'mine' }),
      await stranger.delete(`/v1/videos/${videoId}`),
      await stranger.delete('/v1/videos/v_00000000'),
    ]
    expect(new Set(changes.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })
})

describe('readJob', () => {
  it('shows every attempt, how long it took, also of a processor, and how it ended', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    const trace = { ...aTrace, processorMs: 2_345 }
    await attempt.succeed([await attempt.upload('final', 'a film')], { trace })
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toEqual({
      jobId,
      videoId,
      status: 'succeeded',
      phase: null,
      progressPercent: 100,
      error: null,
      attempts: [
        {
          attempt: 1,
          startedAt: now(),
          finishedAt: now(),
          outcome: 'succeeded',
          fault: null,
          parts: [],
          cpuSeconds: 2.345,
          ...aTrace,
        },
      ],
      createdAt: now(),
      startedAt: now(),
      finishedAt: now(),
      lastUpdatedAt: now(),
    })
  })

  it('is found by its video as well', async () => {
    const { client, videoId, jobId } = await aFinishedVideo()
    const path = `/v1/jobs?videoId=${videoId}`
    const job = (await client.get(`/v1/jobs/${jobId}`)).json
    expect(await client.get(path)).toMatchObject({
      status: 200,
      json: { data: [job], nextCursor: null },
    })
    const none = { status: 200, json: { data: [], nextCursor: null } }
    expect(await (await aClient()).get(path)).toMatchObject(none)
    expect(await client.get('/v1/jobs?videoId=v_00000000')).toMatchObject(none)
    for (const query of ['', '?videoId=j_1', `?videoId=${videoId}&limit=2`]) {
      expect((await client.get(`/v1/jobs${query}`)).status).toBe(400)
    }
    expect((await (await aClient({ scopes: ['videos:write'] })).get(path)).status).toBe(403)
  })
})

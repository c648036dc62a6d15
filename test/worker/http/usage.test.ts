import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../../../worker/contract/job/job-record.ts'
import { usageRecord, type UsageRecord } from '../../../worker/contract/usage.ts'
import { eventually } from '../../support/node/eventually.ts'
import { aClient, administer } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { aFile, clip, upload } from '../../support/worker/upload-form.ts'
import { aReadyUpload } from '../../support/worker/uploads.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aVideo,
  start,
  videoRow,
} from '../../support/worker/videos.ts'
import { sweepObjects } from '../../../worker/queue/sweep-objects.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { finalText } from '../../support/worker/attempt.ts'

const { media } = standInForAll()

const path = '/v1/usage'
const nothing = {
  succeeded: 0,
  failed: 0,
  canceled: 0,
  minutesIn: 0,
  minutesOut: 0,
  processorSeconds: 0,
  work: { measuring: 0, rendering: 0, transcribing: 0, analysing: 0 },
  resultBytes: 0,
  price: 0,
  prices: { measuring: 0, rendering: 0, transcribing: 0, analysing: 0, results: 0 },
}

async function usageOf(client: Client, query = ''): Promise<UsageRecord> {
  const answer = await client.get(`${path}${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return usageRecord.parse(answer.json)
}

const today = () => new Date().toISOString().slice(0, 10)
const rendered = { name: 'rendering', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 1500 }
const heard = { name: 'transcribing', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 500 }
const fetched = { name: 'fetching', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 9000 }
const trace = {
  phases: [fetched, rendered, heard],
  commands: [],
  plan: {
    cuts: { segmentsSeconds: 2, textSeconds: 0.5, fillersSeconds: 0.5, silenceSeconds: 0.5 },
  },
}

describe('the usage of an account', () => {
  it('counts a video on the day on which it ended: minutes in and out, work and bytes', async () => {
    const { client, attempt } = await aRunningVideo()
    await attempt.finish({ trace })
    const { days, total, now } = await usageOf(client)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({
      ...nothing,
      date: today(),
      succeeded: 1,
      minutesIn: 0.1,
      minutesOut: 0.042,
      processorSeconds: 2,
      work: { ...nothing.work, rendering: 1.5, transcribing: 0.5 },
      resultBytes: finalText.length,
      price: expect.closeTo(2 * 0.00002 + finalText.length * 0.015e-9, 12) as number,
      prices: {
        ...nothing.prices,
        rendering: expect.closeTo(1.5 * 0.00002, 12) as number,
        transcribing: expect.closeTo(0.5 * 0.00002, 12) as number,
        results: expect.closeTo(finalText.length * 0.015e-9, 12) as number,
      },
      keptBytes: finalText.length,
    })
    expect(days.at(-2)).toMatchObject({ ...nothing, keptBytes: 0 })
    expect(total).toMatchObject({ succeeded: 1, processorSeconds: 2 })
    expect(now.keptBytes).toBe(finalText.length)
  })

  it('counts every attempt, and each end once', async () => {
    const client = await aClient()
    const failing = await aRunningVideo(client)
    await failing.attempt.fail({ trace })
    const again = await start(failing)
    await again.attempt.fail({ retryable: false, trace })
    await again.attempt.fail({ retryable: false, trace })
    const canceled = await aVideo(client)
    await client.post(`/v1/videos/${canceled.videoId}/cancel`)
    await client.post(`/v1/videos/${canceled.videoId}/cancel`)
    const { total } = await usageOf(client)
    expect(total).toEqual({
      ...nothing,
      failed: 1,
      canceled: 1,
      processorSeconds: 4,
      work: { ...nothing.work, rendering: 3, transcribing: 1 },
      price: expect.closeTo(4 * 0.00002, 12) as number,
      prices: {
        ...nothing.prices,
        rendering: expect.closeTo(3 * 0.00002, 12) as number,
        transcribing: expect.closeTo(0.00002, 12) as number,
      },
    })
  })

  it('counts of a canceled attempt what its media worker tells once it has stopped', async () => {
    const { client, attempt, videoId } = await aRunningVideo()
    await attempt.report({ type: 'progress', phase: 'rendering', progressPercent: 10 })
    advanceSeconds(9)
    const told = { ...trace, processorMs: 5000 }
    media.current.answerCancel = () => Response.json({ canceled: true, trace: told })
    await client.post(`/v1/videos/${videoId}/cancel`)
    await eventually(async () =>
      expect((await usageOf(client)).total).toMatchObject({
        ...{ canceled: 1, processorSeconds: 5 },
        work: { ...nothing.work, rendering: 3.75, transcribing: 1.25 },
      }),
    )
    const { data } = (await client.get(`/v1/jobs?videoId=${videoId}`)).json as { data: JobRecord[] }
    expect(data[0]?.attempts).toMatchObject([{ outcome: 'canceled', cpuSeconds: 5 }])
  })

  it('knows what is kept: results and sources, until they are removed or their video is', async () => {
    const client = await aClient()
    const first = await aFinishedVideo(client)
    const { videoId } = (await upload(client, [aFile()])).json as { videoId: string }
    const kept = async () => (await usageOf(client)).now.keptBytes
    expect(await kept()).toBe(finalText.length + clip.length)
    await client.post(`/v1/videos/${videoId}/cancel`)
    await client.delete(`/v1/videos/${first.videoId}`)
    expect(await kept()).toBe(clip.length)
    advanceSeconds(8 * 86_400)
    await sweepObjects(bindings, Date.now())
    expect(await videoRow(videoId)).toMatchObject({ sourceDeletedAt: Date.now() })
    expect(await kept()).toBe(0)
    await client.delete(`/v1/videos/${videoId}`)
    expect(await kept()).toBe(0)
  })

  it('knows what was kept at the end of each day', async () => {
    const client = await aClient()
    const { uploadId } = await aReadyUpload(client)
    const before = today()
    await client.post('/v1/videos', { uploadId })
    advanceSeconds(2 * 86_400)
    await aFinishedVideo(client)
    const { days } = await usageOf(client)
    expect(days.slice(-4).map(({ keptBytes }) => keptBytes)).toEqual([0, 5000, 5000, 5026])
    const past = await usageOf(client, `?from=${before}&to=${before}`)
    expect(past.days).toMatchObject([{ date: before, keptBytes: 5000 }])
    expect(past.now.keptBytes).toBe(5026)
  })

  it('says what waits and runs, and how full the windows of the key are', async () => {
    const client = await aClient({ rateLimits: '10/60,100/3600' })
    await administer<'accounts.change'>({
      command: 'accounts.change',
      accountId: client.accountId,
      maxRunning: 1,
    })
    await aRunningVideo(client)
    await aVideo(client)
    const { now } = await usageOf(client)
    expect(now).toMatchObject({ queued: 1, running: 1, mostRunning: 1 })
    const { requests } = now
    expect(requests.map(({ lane, limit, remaining }) => ({ lane, limit, remaining }))).toEqual([
      { lane: 'requests', limit: 10, remaining: 7 },
      { lane: 'requests', limit: 100, remaining: 97 },
      { lane: 'uploads', limit: 100, remaining: 100 },
      { lane: 'uploads', limit: 1000, remaining: 1000 },
    ])
    expect(requests[0]?.resetAt).not.toBeNull()
    expect(requests[2]?.resetAt).toBeNull()
  })

  it('is nobody else’s', async () => {
    await aFinishedVideo()
    const { total, now } = await usageOf(await aClient())
    expect(total).toEqual(nothing)
    expect(now).toMatchObject({ keptBytes: 0, queued: 0, running: 0 })
  })

  it.each([
    ['?from=2026-02-30', 'from'],
    ['?to=yesterday', 'to'],
    ['?from=2026-11-21&to=2026-11-20', 'from'],
    ['?from=2025-01-01&to=2026-11-20', 'from'],
    ['?since=2026-01-01', 'since'],
  ])('refuses %s', async (query, field) => {
    const answer = await (await aClient()).get(`${path}${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toMatchObject([{ field }])
  })
})

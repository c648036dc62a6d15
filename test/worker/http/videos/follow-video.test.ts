import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { jobRunner, type JobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, service } from '../../../support/worker/bindings.ts'
import { EventReader } from '../../../support/worker/clients/event-reader.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { aFinishedVideo, aRunningVideo, aVideo, start } from '../../../support/worker/videos.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const pathOf = (videoId: string) => `/v1/videos/${videoId}`

async function followers(jobId: string): Promise<number> {
  return runInDurableObject(jobRunner(bindings, jobId), (runner: JobRunner) => runner.followers)
}

describe('GET /v1/videos/{videoId}/events', () => {
  it('reports every step of a video, each with the record, and closes after the end', async () => {
    const client = await aClient()
    const created = await aVideo(client)
    const { videoId } = created
    const events = await EventReader.open(client, videoId)
    expect(events.response.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8')
    expect(events.response.headers.get('X-RateLimit-Remaining')).not.toBeNull()
    expect(await events.block()).toBe('retry: 2000')
    expect(await events.next()).toEqual({
      event: 'progress',
      id: undefined,
      data: await client.record(videoId),
    })
    const { attempt } = await start(created)
    expect(await events.next()).toMatchObject({ data: { status: 'running', phase: 'fetching' } })
    await attempt.progress(3, 'fetching')
    expect(await events.next()).toMatchObject({ event: 'progress', data: { progressPercent: 3 } })
    await attempt.progress(50, 'rendering')
    expect(await events.next()).toMatchObject({
      data: { progressPercent: 50, phase: 'rendering', status: 'running' },
    })
    await attempt.finish()
    expect(await events.next()).toEqual({
      event: 'end',
      id: `${videoId}.end`,
      data: await client.record(videoId),
    })
    expect(await events.block()).toBeUndefined()
    expect(await followers(created.jobId)).toBe(0)
  })

  it('sends a new name and new metadata at once, within a phase too', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(20)
    const events = await EventReader.open(client, videoId)
    await events.next()
    const changed = { videoName: 'Final cut', metadata: { order: 7 } }
    expect((await client.patch(pathOf(videoId), changed)).status).toBe(200)
    expect(await events.next()).toMatchObject({ data: { ...changed, progressPercent: 20 } })
    await attempt.progress(21)
    expect(await events.next()).toMatchObject({ data: { ...changed, progressPercent: 21 } })
  })

  it('reports every percent while a client follows, and no later read or list shows less', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    await attempt.progress(20)
    const events = await EventReader.open(client, videoId)
    await events.next()
    for (const percent of [21.4, 22, 23.9]) {
      await attempt.progress(percent)
      const shown = { progressPercent: Math.floor(percent) }
      expect(await events.next()).toMatchObject({ data: shown })
      expect(await client.record(videoId)).toMatchObject(shown)
      expect((await client.get('/v1/videos')).json).toMatchObject({ data: [shown] })
      expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject(shown)
    }
    const canceled = await client.post(`${pathOf(videoId)}/cancel`)
    expect(canceled.json).toMatchObject({ status: 'canceled', progressPercent: 23 })
    expect(await events.next()).toMatchObject({ event: 'end', data: { progressPercent: 23 } })
  })

  it('writes nothing to the database for less than a whole percent', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(20)
    const events = await EventReader.open(client, videoId)
    await events.next()
    const log = recordStatements()
    for (const percent of [20.1, 20.5, 20.9]) await attempt.progress(percent)
    expect(log.calls).toBe(0)
    await events.leave()
  })

  it('sends the current record at once to a client that comes late or comes back', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(20)
    for (const percent of [20, 23]) {
      const events = await EventReader.open(client, videoId)
      expect(await events.next()).toMatchObject({ data: { progressPercent: percent } })
      await attempt.progress(23)
      await events.leave()
    }
  })

  it('reports a lost attempt, and a cancel', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(20)
    const events = await EventReader.open(client, videoId)
    await events.next()
    await attempt.fail()
    expect(await events.next()).toMatchObject({ data: { status: 'queued', progressPercent: 20 } })
    await client.post(`${pathOf(videoId)}/cancel`)
    expect(await events.next()).toMatchObject({ event: 'end', data: { status: 'canceled' } })
  })

  it('goes on from where it was when a new attempt begins from the start', async () => {
    const client = await aClient()
    const request = { enableTranscription: true, enableAiAnalysis: true }
    const created = await aVideo(client, request)
    const first = await start(created)
    const work = (progress: number) => ({ status: 'processing', progress })
    const heard = { transcript: work(60), analysis: work(40) }
    await first.attempt.progress(62, 'rendering', heard)
    await first.attempt.fail()
    const queued = {
      progressPercent: 62,
      transcript: { status: 'pending', progress: 60 },
      analysis: { status: 'pending', progress: 40 },
    }
    expect(await client.record(created.videoId)).toMatchObject({ status: 'queued', ...queued })
    const second = await start(created)
    const events = await EventReader.open(client, created.videoId)
    expect(await events.next()).toMatchObject({ data: { status: 'running', progressPercent: 62 } })
    await second.attempt.progress(30, 'rendering', { transcript: work(5), analysis: work(5) })
    expect(await events.next()).toMatchObject({
      data: {
        progressPercent: 73,
        transcript: { status: 'processing', progress: 60 },
        analysis: { status: 'processing', progress: 40 },
      },
    })
    await second.attempt.progress(63)
    expect(await events.next()).toMatchObject({ data: { progressPercent: 85 } })
    await second.attempt.fail({ retryable: false })
    expect(await events.next()).toMatchObject({
      event: 'end',
      data: { status: 'failed', progressPercent: 85, analysis: { progress: 40 } },
    })
  })

  it('drops a client that has left at the next event, and keeps nothing of it', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    const first = await EventReader.open(client, videoId)
    const second = await EventReader.open(client, videoId)
    await first.next()
    await second.next()
    expect(await followers(jobId)).toBe(2)
    await first.leave()
    await attempt.progress(1)
    expect(await second.next()).toMatchObject({ data: { progressPercent: 1 } })
    await eventually(async () => expect(await followers(jobId)).toBe(1))
    await second.leave()
    await attempt.progress(2)
    await eventually(async () => expect(await followers(jobId)).toBe(0))
  })

  it('has room for a hundred clients', async () => {
    const { client, videoId, jobId } = await aRunningVideo()
    const runner = jobRunner(bindings, jobId)
    await runInDurableObject(runner, (instance: JobRunner) => {
      for (let i = 0; i < 100; i++) {
        expect(instance.follow(jobId, client.accountId)).toBeInstanceOf(ReadableStream)
      }
    })
    expect(await client.get(`${pathOf(videoId)}/events`)).toMatchObject({
      status: 503,
      json: { error: 'ServiceUnavailable', retryAfter: 10 },
    })
    await client.post(`${pathOf(videoId)}/cancel`)
    await eventually(async () => expect(await followers(jobId)).toBe(0))
  })

  it('has room for five hundred clients of one account, and for others meanwhile', async () => {
    const [client, other] = [await aClient(), await aClient()]
    const jobs: { videoId: string; jobId: string }[] = []
    for (let i = 0; i < 5; i++) jobs.push(await aVideo(client))
    for (const { jobId } of jobs) {
      await runInDurableObject(jobRunner(bindings, jobId), (instance: JobRunner) => {
        for (let i = 0; i < 100; i++) instance.follow(jobId, client.accountId)
      })
    }
    const { videoId } = await aVideo(client)
    const refused = await client.get(`${pathOf(videoId)}/events`)
    expect(refused).toMatchObject({
      status: 429,
      json: { error: 'RateLimitExceeded', retryAfter: 10 },
    })
    expect(refused.json['message']).toContain('500 streams of events open')
    const events = await EventReader.open(other, (await aVideo(other)).videoId)
    expect(events.response.status).toBe(200)
    await events.leave()
    await client.post(`${pathOf(jobs[0]?.videoId ?? '')}/cancel`)
    await eventually(async () => expect(await followers(jobs[0]?.jobId ?? '')).toBe(0))
    const late = await EventReader.open(client, videoId)
    expect(late.response.status).toBe(200)
    await late.leave()
  })

  it('sends one end after the video has ended, and 204 to a client that has had it', async () => {
    const { client, videoId } = await aFinishedVideo()
    const path = `${pathOf(videoId)}/events`
    const events = await EventReader.open(client, videoId)
    const end = await events.next()
    expect(end).toMatchObject({ event: 'end', data: await client.record(videoId) })
    expect(await events.block()).toBeUndefined()
    const headers = { 'Last-Event-ID': end?.id ?? '' }
    expect(await client.get(path, headers)).toMatchObject({ status: 204, text: '' })
    const other = await client.get(path, { 'Last-Event-ID': 'v_00000000.end' })
    expect(other).toMatchObject({ status: 200 })
  })

  it('opens no stream for a HEAD', async () => {
    const { client, videoId, jobId } = await aRunningVideo()
    const answer = await client.send(`${pathOf(videoId)}/events`, { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(await followers(jobId)).toBe(0)
  })

  it('counts as one request', async () => {
    const client = await aClient({ rateLimits: '3/60' })
    const { videoId } = await aRunningVideo(client)
    const events = await EventReader.open(client, videoId)
    expect(events.response.headers.get('X-RateLimit-Remaining')).toBe('1')
    await events.leave()
    const url = new URL(pathOf(videoId), bindings.BASE_URL).href
    const headers = { Authorization: `Bearer ${client.apiKey}` }
    expect((await service.fetch(url, { headers })).status).toBe(200)
  })
})

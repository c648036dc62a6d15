import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { mediaJob, protocolVersion } from '../../../../worker/contract/job/media-job.ts'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { endJob } from '../../../../worker/service/jobs/end-job.ts'
import { findJob } from '../../../../worker/store/jobs/jobs.ts'
import { markRunning } from '../../../../worker/store/videos/transitions.ts'
import { aClient, administer } from '../../../support/worker/accounts.ts'
import { Attempt, aTrace, someMetadata, finalText } from '../../../support/worker/attempt.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  attemptRows,
  aVideo,
  eventRows,
  jobRow,
  objectKeys,
  sourceUrl,
  start,
  videoRow,
} from '../../../support/worker/videos.ts'
import { taken, busy } from '../../../support/worker/media-workers.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

const carryOn = { action: 'carry-on' }
const stop = { action: 'stop' }
const webhookUrl = 'https://hooks.example.com/spool'

describe('JobRunner.dispatch', () => {
  it('claims the job and hands it, signed and whole, to a media worker', async () => {
    const client = await aClient()
    const request = { removeSilence: true, removeSegments: [{ startTime: 1, endTime: 2 }] }
    const { videoId, jobId } = await aVideo(client, request)

    expect(await queue.current.deliverNext(jobId)).toEqual({ acknowledged: true, retried: false })

    const job = media.current.lastJob(jobId)
    expect(job).toMatchObject({
      version: protocolVersion,
      jobId,
      videoId,
      fence: 1,
      attempt: 1,
      inputs: [{ field: 'fileUrl', url: sourceUrl, origin: 'customer' }],
      options: request,
      reports: {
        url: `${bindings.BASE_URL}/internal/jobs/${jobId}/attempts/1/reports`,
        heartbeatSeconds: 10,
      },
    })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running', phase: 'fetching' })
    expect(await jobRow(jobId)).toMatchObject({ fence: 1, attempts: 1, startedAt: Date.now() })
    expect(await attemptRows(jobId)).toMatchObject([{ fence: 1, attempt: 1, outcome: null }])
  })

  it('counts an attempt from when a media worker has accepted it, however long that takes', async () => {
    const client = await aClient()
    const { videoId, jobId } = await aVideo(client)
    media.current.takeJob = async () => {
      advanceSeconds(20)
      await client.patch(`/v1/videos/${videoId}`, { videoName: 'named meanwhile' })
      return taken()
    }
    await queue.current.deliverNext(jobId)
    const now = Date.now()
    expect(await videoRow(videoId)).toMatchObject({ name: 'named meanwhile', updatedAt: now })
    expect(await attemptRows(jobId)).toMatchObject([{ startedAt: now }])
  })

  it('says which elements are files of our own, and passes on only parsed addresses', async () => {
    const elements = [
      { type: 'image', url: `${bindings.STORAGE_URL}/files/some.token/clip.png` },
      { type: 'image', url: 'HTTPS://media.example.com/logo.png' },
    ]
    const { jobId } = await aVideo(undefined, { elements })
    await queue.current.deliverNext(jobId)
    expect(media.current.lastJob(jobId)).toMatchObject({
      elementSources: [
        { url: elements[0]?.url, origin: 'link' },
        { url: 'https://media.example.com/logo.png', origin: 'customer' },
      ],
    })
  })

  it('offers a job that a media worker accepts, even if its addresses become long when encoded', async () => {
    const url = `https://media.example.com/${'映'.repeat(2000)}.png`
    const body = { fileUrl: url, elements: [{ type: 'image', url }] }
    const { jobId } = await aVideo(undefined, body)
    await queue.current.deliverNext(jobId)
    const offered = mediaJob.parse(media.current.lastJob(jobId))
    const { href } = new URL(url)
    expect(offered.elementSources).toEqual([{ url: href, origin: 'customer' }])
    expect(offered.inputs).toMatchObject([{ url: href }])
  })

  it('offers a job once however often its message is delivered', async () => {
    const { jobId } = await aVideo()
    const runner = jobRunner(bindings, jobId)
    const message = { kind: 'dispatch', jobId, chain: 0 } as const
    await Promise.all([1, 2, 3, 4].map(async () => runner.dispatch(message)))
    expect(media.current.offersOf(jobId)).toHaveLength(1)
    expect(await jobRow(jobId)).toMatchObject({ fence: 1, attempts: 1 })
  })

  it('does nothing for a job that does not exist, and stores nothing about it', async () => {
    const runner = jobRunner(bindings, 'j_never')
    const message = { kind: 'dispatch', jobId: 'j_never', chain: 0 } as const
    expect(await runner.dispatch(message)).toBeUndefined()
    const kept = await runInDurableObject(runner, (_, state) => [...state.storage.kv.list()])
    expect(kept).toEqual([])
  })

  it('listens only to the worker whose acceptance arrived, not to one whose acceptance was lost', async () => {
    const { videoId, jobId } = await aVideo()
    media.current.takeJob = () => {
      if (media.current.offers.length > 1) return taken()
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    }
    await queue.current.deliverNext(jobId)
    const [lost, held] = media.current.offersOf(jobId).map(({ job }) => new Attempt(job))
    expect((await lost?.fail({ retryable: false }))?.json).toEqual(stop)
    expect((await held?.progress(10))?.json).toEqual(carryOn)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })

  it('answers a call that came during an offer with the outcome of that offer', async () => {
    const { jobId } = await aVideo()
    const runner = jobRunner(bindings, jobId)
    media.current.takeJob = busy
    expect(await runner.answerCall(jobId)).toBe('busy')
    const { length } = media.current.offersOf(jobId)
    const both = [runner.answerCall(jobId), runner.answerCall(jobId)]
    expect(await Promise.all(both)).toEqual(['busy', 'busy'])
    expect(media.current.offersOf(jobId)).toHaveLength(2 * length)
  })

  it('puts the job back if the start of an earlier claim is written during its offer', async () => {
    const { jobId, videoId } = await aVideo()
    const runner = jobRunner(bindings, jobId)
    media.current.takeJob = busy
    expect(await runner.answerCall(jobId)).toBe('busy')
    const late = { attempt: 1, now: Date.now(), sweepAfter: Date.now() + 300_000 }
    media.current.takeJob = async () => {
      await markRunning(bindings.DB, { jobId, videoId, fence: 1 }, late)
      return taken()
    }
    expect(await runner.answerCall(jobId)).toBe('refused')
    const { fence } = media.current.lastJob(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(await attemptRows(jobId)).toMatchObject([{ fence: 1, outcome: 'lost' }])
    expect(media.current.cancels).toMatchObject([{ jobId, fence }])

    media.current.takeJob = taken
    expect(await runner.answerCall(jobId)).toBe('started')
    const open = { fence: media.current.lastJob(jobId).fence, attempt: 2, outcome: null }
    expect(await attemptRows(jobId)).toMatchObject([{ fence: 1 }, open])
  })

  it('forgets a job whose end by an earlier claim is written during its offer', async () => {
    const { jobId } = await aVideo()
    const runner = jobRunner(bindings, jobId)
    media.current.takeJob = async () => {
      const found = await findJob(bindings.DB, jobId)
      if (!found) throw new Error('There is no such job.')
      const { video, job } = found
      const claim = { jobId, videoId: video.id, fence: job.fence }
      await endJob(bindings, found, claim, { to: 'canceled' })
      return taken()
    }
    expect(await runner.answerCall(jobId)).toBe('over')
    expect(media.current.cancels).toMatchObject([{ jobId }])
    advanceSeconds(3_601)
    await runDurableObjectAlarm(runner)
    const kept = await runInDurableObject(runner, (_, { storage }) => [...storage.kv.list()])
    expect(kept).toEqual([])
  })

  it('does not start a job beyond the cap of its account, whatever the dispatcher knows', async () => {
    const client = await aClient()
    const { accountId } = client
    await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: 1 })
    const [first, second] = [await aVideo(client), await aVideo(client)]
    expect(await jobRunner(bindings, first.jobId).answerCall(first.jobId)).toBe('started')
    const { jobId, videoId } = second
    expect(await jobRunner(bindings, jobId).answerCall(jobId)).toBe('refused')
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(media.current.cancels).toMatchObject([{ jobId }])
  })

  it('lets no start be written any more that was sent before its object died', async () => {
    const { jobId, videoId } = await aVideo()
    const runner = jobRunner(bindings, jobId)
    const sent = vi.spyOn(prototypeOf(bindings.DB), 'batch').mockImplementationOnce(() => {
      throw new Error('the object has died')
    })
    await runInDurableObject(runner, async (object) => {
      await expect(object.answerCall(jobId)).rejects.toThrow()
    })
    sent.mockRestore()
    expect(media.current.lastJob(jobId)).toMatchObject({ fence: 1, attempt: 1 })
    await evictDurableObject(runner)
    media.current.takeJob = busy
    expect(await jobRunner(bindings, jobId).answerCall(jobId)).toBe('busy')

    const late = { attempt: 1, now: Date.now(), sweepAfter: Date.now() + 300_000 }
    const claim = { jobId, videoId, fence: 1 }
    expect(await markRunning(bindings.DB, claim, late)).toBe(false)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(await attemptRows(jobId)).toEqual([])
  })

  it('fails a video that no media worker took within MAX_QUEUE_SECONDS', async () => {
    const { client, videoId, jobId } = await aVideo(undefined, { webhookUrl })
    advanceSeconds(86_401)
    await queue.current.deliverNext(jobId)
    expect(media.current.offersOf(jobId)).toEqual([])
    expect(await client.record(videoId)).toMatchObject({
      status: 'failed',
      errorMessage: 'No media worker was free within 86400 seconds.',
    })
    expect((await client.get(`/v1/jobs/${jobId}`)).json['error']).toEqual({
      error: 'ProcessingError',
      reason: 'out_of_time',
      message: 'No media worker was free within 86400 seconds.',
    })
    expect(await eventRows(videoId)).toMatchObject([{ type: 'video.failed' }])
  })

  it('does not count the work of an attempt as waiting', async () => {
    const { jobId, videoId, attempt } = await aRunningVideo()
    advanceSeconds(40_000)
    await attempt.fail()
    await start({ videoId, jobId })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })
})

describe('JobRunner.report', () => {
  it('succeeds only with the object stored: record, job, event and R2 agree', async () => {
    const client = await aClient()
    const started = await aRunningVideo(client, { webhookUrl })
    const { videoId, jobId, attempt } = started
    const written = await attempt.upload('final', finalText)
    const answer = await attempt.succeed([written], { warnings: ['An element was skipped.'] })
    expect(answer).toMatchObject({ status: 200, json: stop })

    const record = await client.record(videoId)
    expect(record).toMatchObject({
      status: 'succeeded',
      progressPercent: 100,
      videoMetadata: someMetadata,
      warnings: expect.arrayContaining(['An element was skipped.']) as string[],
    })
    const key = `videos/${videoId}/out/1/final.mp4`
    expect(await objectKeys(videoId)).toEqual([key])
    const object = await bindings.BUCKET.head(key)
    expect(object).toMatchObject({ size: 26, httpMetadata: { contentType: 'video/mp4' } })
    expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'succeeded' }])
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject({ attempts: [aTrace] })
    expect(await jobRow(jobId)).toMatchObject({ finishedAt: Date.now(), error: null })
    const [event, ...others] = await eventRows(videoId)
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'video.succeeded' })
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'video.succeeded',
      timestamp: new Date().toISOString(),
      data: record,
    })
  })

  it('never goes back within an attempt, and ignores outdated reports', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    const progress = async () => (await client.record(videoId))['progressPercent']
    await attempt.progress(80)
    expect((await attempt.progress(40)).json).toEqual(carryOn)
    expect(await progress()).toBe(80)
    const late = { type: 'failed', reason: 'internal', message: 'late', retryable: false }
    const repeated = await attempt.report({ ...late, trace: aTrace, sequence: 1 })
    expect(repeated.json).toEqual(carryOn)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running', progressPercent: 80 })
  })

  it('tells a worker to stop once the video has ended, and changes nothing', async () => {
    const { videoId, attempt } = await aFinishedVideo(undefined, { webhookUrl })
    const before = await videoRow(videoId)
    advanceSeconds(5)
    expect((await attempt.progress(50)).json).toEqual(stop)
    expect((await attempt.fail({ retryable: false })).json).toEqual(stop)
    const written = { kind: 'final' as const, sizeBytes: 26, parts: [{ partNumber: 1, etag: 'x' }] }
    expect((await attempt.succeed([written])).json).toEqual(stop)
    expect((await attempt.askForUpload('final', 26)).status).toBe(409)
    expect(await videoRow(videoId)).toEqual(before)
    expect(await eventRows(videoId)).toHaveLength(1)
  })

  it('treats a success that is sent again, because its first answer was lost, as the same one', async () => {
    const { videoId, attempt } = await aRunningVideo(undefined, { webhookUrl })
    const written = await attempt.upload('final', finalText)
    const answers = await Promise.all([attempt.succeed([written]), attempt.succeed([written])])
    expect(answers.map(({ json }) => json)).toEqual([stop, stop])
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
    expect(await eventRows(videoId)).toHaveLength(1)
  })

  it('does not believe a success whose parts were never written', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo(undefined, {
      webhookUrl,
    })
    await attempt.askForUpload('final', 26)
    const parts = [{ partNumber: 1, etag: 'invented' }]
    await attempt.succeed([{ kind: 'final', sizeBytes: 26, parts }])
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
    expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'failed' }])
    expect(await eventRows(videoId)).toEqual([])
  })

  it('does not believe a success whose object has another size', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const { parts } = await attempt.upload('final', finalText)
    await attempt.succeed([{ kind: 'final', sizeBytes: 27, parts }])
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
    expect(await objectKeys(videoId)).toEqual([])
  })

  it('does not believe a success without the video itself', async () => {
    const { videoId, attempt } = await aRunningVideo()
    await attempt.succeed([await attempt.upload('thumbnail', 'a still')])
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', result: null })
  })

  it('ends the video at once if another attempt cannot succeed', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo(undefined, { webhookUrl })
    const reason = 'source_not_media'
    await attempt.fail({ reason, message: 'This is a PDF.', retryable: false })
    expect(await client.record(videoId)).toMatchObject({
      status: 'failed',
      errorMessage: 'This is a PDF.',
    })
    const error = { error: 'ProcessingError', reason, message: 'This is a PDF.' }
    expect((await client.get(`/v1/jobs/${jobId}`)).json['error']).toEqual(error)
    expect(queue.current.sentFor(jobId)).toEqual([])
    expect(await eventRows(videoId)).toMatchObject([{ type: 'video.failed' }])
  })

  it('refuses a fence that has been followed by another, whatever it says', async () => {
    const client = await aClient()
    const first = await aRunningVideo(client)
    await first.attempt.askForUpload('final', 26)
    await first.attempt.fail()
    const second = await start(first)
    expect(second.attempt.job.fence).toBe(2)
    expect((await first.attempt.progress(99)).json).toEqual(stop)
    expect((await first.attempt.askForUpload('final', 26)).status).toBe(409)
    await second.attempt.finish()
    expect((await first.attempt.fail({ retryable: false })).json).toEqual(stop)
    expect(await videoRow(first.videoId)).toMatchObject({ status: 'succeeded' })
    expect(await objectKeys(first.videoId)).toEqual([`videos/${first.videoId}/out/2/final.mp4`])
  })

  it('remembers the attempt after its object was evicted', async () => {
    const { jobId, attempt } = await aRunningVideo()
    await attempt.progress(30)
    await evictDurableObject(jobRunner(bindings, jobId))
    expect((await attempt.progress(60)).json).toEqual(carryOn)
    expect(media.current.offersOf(jobId)).toHaveLength(1)
  })
})

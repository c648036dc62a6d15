import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { sweepJobs } from '../../../../worker/queue/sweep-jobs.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { type Attempt, finalText } from '../../../support/worker/attempt.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  attemptRows,
  eventRows,
  jobRow,
  objectKeys,
  start,
  type Started,
  videoRow,
} from '../../../support/worker/videos.ts'
import { FilmLead } from '../../../support/worker/film.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

const carryOn = { action: 'carry-on' }
const stop = { action: 'stop' }
const webhookUrl = 'https://hooks.example.com/spool'
const runAlarm = async (jobId: string) => runDurableObjectAlarm(jobRunner(bindings, jobId))

async function expireLease(jobId: string): Promise<void> {
  advanceSeconds(61)
  await runAlarm(jobId)
}

describe('the lease of an attempt', () => {
  it('is renewed by every report, so the alarm of the first one finds nothing to do', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    advanceSeconds(45)
    await attempt.progress(10)
    advanceSeconds(45)
    expect(await runAlarm(jobId)).toBe(true)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    expect(await runAlarm(jobId)).toBe(true)
  })

  it.each([3, -3])(
    'ends a silent attempt, and only that, if the clock jumps by %i hours',
    async (hours) => {
      const { videoId, jobId, attempt } = await aRunningVideo()
      advanceSeconds(hours * 3600)
      await sweepJobs(bindings, Date.now())
      expect((await attempt.progress(10)).json).toEqual(carryOn)
      expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
      for (const seconds of [61, 31]) {
        advanceSeconds(seconds)
        await runAlarm(jobId)
      }
      expect((await attempt.progress(20)).json).toEqual(stop)
      expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'lost' }])
    },
  )

  it('is found by the sweep if the media worker dies while the clock is put back', async () => {
    const { jobId } = await aRunningVideo()
    await sweepJobs(bindings, Date.now())
    advanceSeconds(-3 * 3600)
    await sweepJobs(bindings, Date.now())
    advanceSeconds(61)
    await runAlarm(jobId)
    expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'lost' }])
  })

  it('is renewed by a heartbeat even if D1 fails', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    advanceSeconds(45)
    const database = prototypeOf(bindings.DB)
    const broken = vi.spyOn(database, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: the database is overloaded')
    })
    expect((await attempt.progress(50)).json).toEqual(carryOn)
    broken.mockRestore()
    advanceSeconds(45)
    await runAlarm(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    await attempt.progress(51)
    expect(await videoRow(videoId)).toMatchObject({ progressPercent: 51 })
  })

  it('is renewed by a result that cannot be recorded while D1 fails for longer than the lease', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    const written = [await attempt.upload('final', finalText)]
    const broken = vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: the database is overloaded')
    })
    for (let i = 0; i < 3; i++) {
      advanceSeconds(40)
      expect((await attempt.succeed(written)).status).toBeGreaterThanOrEqual(500)
    }
    broken.mockRestore()
    await runAlarm(jobId)
    expect((await attempt.succeed(written)).status).toBe(200)
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
    expect(await attemptRows(jobId)).toMatchObject([{ attempt: 1, outcome: 'succeeded' }])
  })

  it('does not end an attempt whose reports could not arrive, because the service was down', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    advanceSeconds(300)
    await runAlarm(jobId)
    advanceSeconds(29)
    expect((await attempt.progress(40)).json).toEqual(carryOn)
    advanceSeconds(45)
    await runAlarm(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    expect(await attemptRows(jobId)).toMatchObject([{ attempt: 1, outcome: null }])
  })

  it('runs out 30 s after the service is back, if the media worker does not report', async () => {
    const { videoId, jobId } = await aRunningVideo()
    advanceSeconds(300)
    await runAlarm(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    advanceSeconds(35)
    await runAlarm(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
  })

  it('gives the job to the next attempt when it runs out, with a fence of its own', async () => {
    const first = await aRunningVideo()
    const { videoId, jobId } = first
    const { partsOpen } = await openUpload(first.attempt)
    await first.attempt.progress(66)
    await expireLease(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued', phase: null })
    await expect(partsOpen()).rejects.toThrow()

    const second = await start(first)
    expect(second.attempt.job).toMatchObject({ fence: 2, attempt: 2 })
    expect((await first.attempt.progress(90)).json).toEqual(stop)
    // It goes on where the first one was, evenly to the end.
    await second.attempt.progress(33, 'measuring')
    expect(await videoRow(videoId)).toMatchObject({ progressPercent: 77 })
    await second.attempt.finish()
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
    expect(await attemptRows(jobId)).toMatchObject([
      { fence: 1, attempt: 1, outcome: 'lost' },
      { fence: 2, attempt: 2, outcome: 'succeeded' },
    ])
  })

  it('fails the video with a clear message when MAX_ATTEMPTS are used up', async () => {
    const client = await aClient()
    const started = await aRunningVideo(client, { webhookUrl })
    const { videoId, jobId } = started
    await expireLease(jobId)
    const second = await start(started)
    await second.attempt.progress(5, 'measuring')
    await expireLease(jobId)
    const third = await start(started)
    await third.attempt.progress(40, 'rendering')
    await expireLease(jobId)

    const message =
      'Gave up after 3 attempts. The last one: The media worker stopped answering while rendering.'
    expect(await client.record(videoId)).toMatchObject({
      status: 'failed',
      errorMessage: message,
    })
    const { error, attempts } = (await client.get(`/v1/jobs/${jobId}`)).json
    expect(error).toEqual({ error: 'ProcessingError', reason: 'worker_lost', message })
    expect(attempts).toMatchObject([
      { outcome: 'lost' },
      { outcome: 'lost' },
      { outcome: 'failed' },
    ])
    expect(queue.current.sentFor(jobId)).toEqual([])
    expect(await eventRows(videoId)).toHaveLength(1)
  })

  it('counts only attempts since the last one that kept something new', async () => {
    let current: Started = await aRunningVideo(undefined, { reuse: false })
    const { videoId, jobId } = current
    const keep = async (ask: 'keep' | 'remember', letter: string): Promise<void> => {
      const { attempt } = current
      const files = [{ field: 'fileUrl', sha256: 'f'.repeat(64) }]
      await attempt.report({ type: 'fetched', engine: 'one', files })
      const asked = {
        ask,
        name: letter.repeat(64),
        text: `heard by attempt ${attempt.job.attempt}`,
      }
      expect((await new FilmLead(attempt.job).ask(asked)).status).toBe(200)
    }
    const lose = async (): Promise<void> => {
      await expireLease(jobId)
      current = await start(current)
    }
    await lose()
    for (const letter of 'abcd') {
      await keep('keep', letter)
      await lose()
    }
    await keep('remember', 'e')
    await current.attempt.fail({ message: 'Ran out of memory.' })
    current = await start(current)
    // One that is handed back has no number of its own.
    await keep('keep', 'f')
    await current.attempt.release()
    current = await start(current)
    expect(current.attempt.job).toMatchObject({ fence: 8, attempt: 7 })
    await keep('keep', 'a')
    await keep('remember', 'e')
    await lose()
    await lose()
    await expireLease(jobId)
    expect(await videoRow(videoId)).toMatchObject({
      status: 'failed',
      errorMessage:
        'Gave up after 9 attempts. The last one: The media worker stopped answering while fetching.',
    })
    expect((await attemptRows(jobId)).map(({ attempt }) => attempt)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 7, 8, 9],
    ])
  })

  it('counts retryable failures like lost attempts', async () => {
    const started = await aRunningVideo()
    await started.attempt.fail({ reason: 'out_of_resources', message: 'Ran out of memory.' })
    await (await start(started)).attempt.fail({ message: 'Again.' })
    await (await start(started)).attempt.fail({ message: 'And again.' })
    expect(await videoRow(started.videoId)).toMatchObject({
      status: 'failed',
      errorMessage: 'Gave up after 3 attempts. The last one: And again.',
    })
  })

  it('does not count an attempt that its worker gave back', async () => {
    const started: Started = await aRunningVideo()
    let current = started
    for (const fence of [1, 2, 3, 4, 5]) {
      expect(current.attempt.job).toMatchObject({ fence, attempt: 1 })
      expect((await current.attempt.release()).json).toEqual(stop)
      current = await start(started)
    }
    expect(await jobRow(started.jobId)).toMatchObject({ attempts: 1, fence: 6 })
    const outcomes = (await attemptRows(started.jobId)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual([...Array<string>(5).fill('released'), null])
  })

  it.each([0, 2])('counts none after %i others if the answer to that was lost', async (others) => {
    let current: Started = await aRunningVideo()
    for (let n = 0; n < others; n++) {
      await current.attempt.fail({ message: 'Ran out of memory.' })
      current = await start(current)
    }
    const { jobId, videoId, attempt } = current
    const runner = jobRunner(bindings, jobId)
    const before = await runInDurableObject(runner, (_, { storage }) => storage.kv.get('run'))
    await attempt.release()
    await runInDurableObject(runner, (_, { storage }) => storage.kv.put('run', before))
    await expireLease(jobId)
    expect((await attemptRows(jobId)).at(-1)).toMatchObject({ outcome: 'released' })
    expect(await jobRow(jobId)).toMatchObject({ attempts: others })
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
  })

  it('ends with MAX_JOB_SECONDS, even if the worker still reports', async () => {
    const { videoId, attempt } = await aRunningVideo(undefined, { webhookUrl })
    await attempt.progress(10)
    advanceSeconds(43_201)
    expect((await attempt.progress(20)).json).toEqual(stop)
    expect(await videoRow(videoId)).toMatchObject({
      status: 'failed',
      errorMessage: 'The video was not finished within 43200 seconds of work.',
    })
    expect(await eventRows(videoId)).toMatchObject([{ type: 'video.failed' }])
  })

  it('is over when a job that was given back comes up after MAX_JOB_SECONDS', async () => {
    const started = await aRunningVideo()
    await started.attempt.release()
    advanceSeconds(43_201)
    await queue.current.deliverNext(started.jobId)
    expect(media.current.offersOf(started.jobId)).toHaveLength(1)
    expect(await videoRow(started.videoId)).toMatchObject({ status: 'failed' })
  })

  it('is decided by the clock of the service, not by that of the worker', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    advanceSeconds(30)
    const early = { type: 'progress', phase: 'rendering', progressPercent: 5 }
    const answer = await attempt.report(early, { at: Date.now() + 300_000 })
    expect(answer.json).toEqual(carryOn)
    await expireLease(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
  })

  it('leaves nothing in the object one hour after the end', async () => {
    const { jobId } = await aFinishedVideo()
    const kept = async () =>
      runInDurableObject(jobRunner(bindings, jobId), (_, state) => [...state.storage.kv.list()])
    expect(await kept()).toHaveLength(1)
    advanceSeconds(3600)
    expect(await runAlarm(jobId)).toBe(true)
    expect(await kept()).toEqual([])
    expect(await runAlarm(jobId)).toBe(false)
  })
})

async function openUpload(attempt: Attempt) {
  await attempt.upload('final', finalText)
  const key = `videos/${attempt.job.videoId}/out/1/final.mp4`
  expect(await objectKeys(attempt.job.videoId)).toEqual([])
  const state = await runInDurableObject(jobRunner(bindings, attempt.job.jobId), (_, { storage }) =>
    storage.kv.get<{ running: { uploads: { final: { uploadId: string } } } }>('run'),
  )
  const uploadId = state?.running.uploads.final.uploadId ?? ''
  const upload = bindings.BUCKET.resumeMultipartUpload(key, uploadId)
  return { partsOpen: async () => upload.uploadPart(1, 'late bytes') }
}

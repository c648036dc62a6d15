import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { JobRunner, jobRunner } from '../../../worker/durable/job/job-runner.ts'
import type { sweepJobs } from '../../../worker/queue/sweep-jobs.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  attemptRows,
  aVideo,
  jobRow,
  start,
  videoRow,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { tick } from '../../support/worker/tick.ts'

const { media, queue } = standInForAll()

/** Makes the object lose everything, as if it had never existed. */
async function forget(jobId: string): Promise<void> {
  await runInDurableObject(jobRunner(bindings, jobId), (_, state) => state.storage.deleteAll())
}

/** Its media worker gets time to report again, and does not. */
async function hearOut(jobId: string): Promise<void> {
  expect(await videoRow((await jobRow(jobId))?.videoId ?? '')).toMatchObject({ status: 'running' })
  advanceSeconds(31)
  await runDurableObjectAlarm(jobRunner(bindings, jobId))
}

/** The sweep of a process that has not swept yet. */
async function newProcess() {
  const module = '../../../worker/queue/sweep-jobs.ts?process'
  return (await import(module)) as { sweepJobs: typeof sweepJobs }
}

beforeAll(tick)

describe('sweep', () => {
  it('sends a message for a job whose own message was lost', async () => {
    queue.current.fault = new Error('queue is down')
    const { videoId, jobId } = await aVideo()
    queue.current.fault = undefined
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    advanceSeconds(119)
    await tick()
    expect(queue.current.sentFor(jobId)).toEqual([])
    advanceSeconds(1)
    await tick()
    await start({ videoId, jobId })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })

  it('checks again after 2, 4, 8 and then every 15 minutes', async () => {
    const { jobId } = await aVideo()
    const pauses: number[] = []
    for (let look = 0; look < 5; look++) {
      advanceSeconds(Math.ceil((((await jobRow(jobId))?.sweepAfter ?? 0) - Date.now()) / 1000))
      await tick()
      pauses.push((((await jobRow(jobId))?.sweepAfter ?? 0) - Date.now()) / 60_000)
    }
    expect(pauses).toEqual([2, 4, 8, 15, 15])
  })

  it('leaves a job alone whose worker still reports', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    for (let i = 0; i < 8; i++) {
      advanceSeconds(50)
      await attempt.progress(10)
      await tick()
    }
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    expect(media.current.offersOf(jobId)).toHaveLength(1)
    expect(queue.current.sentFor(jobId)).toEqual([])
  })

  it('replaces an alarm that failed seven times, after which it never runs again', async () => {
    const started = await aRunningVideo()
    const { videoId, jobId } = started
    const stub = jobRunner(bindings, jobId)
    advanceSeconds(61)
    const broken = vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: the database is overloaded')
    })
    for (let i = 0; i < 7; i++) {
      const alarm = runInDurableObject(stub, async (runner) => runner.alarm())
      await expect(alarm).rejects.toThrow('Storage did not answer')
    }
    broken.mockRestore()
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm())
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    advanceSeconds(120)
    await tick()
    await hearOut(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect((await start(started)).attempt.job).toMatchObject({ fence: 2, attempt: 2 })
  })

  it('requeues a job whose row says running although nobody holds it', async () => {
    const started = await aRunningVideo()
    const { videoId, jobId } = started
    await forget(jobId)
    advanceSeconds(181)
    await tick()
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect((await started.attempt.progress(50)).json).toEqual({ action: 'stop' })
    const { attempt } = await start(started)
    expect(attempt.job).toMatchObject({ fence: 2 })
    expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'lost' }, { outcome: null }])
  })

  it('does not retry a job for ever that loses its worker and its object', async () => {
    const started = await aRunningVideo()
    const { videoId, jobId } = started
    for (let round = 0; round < 4; round++) {
      await forget(jobId)
      advanceSeconds(300)
      await tick()
      if (queue.current.sentFor(jobId).length > 0) await queue.current.deliverNext(jobId)
    }
    expect(media.current.offersOf(jobId)).toHaveLength(3)
    expect(await videoRow(videoId)).toMatchObject({ status: 'failed' })
  })

  it('continues with the other jobs if one of them cannot be checked', async () => {
    const client = await aClient()
    const bad = await aVideo(client)
    const good = await aVideo(client)
    queue.current.sent.length = 0
    advanceSeconds(120)
    const checkUp = vi.spyOn(JobRunner.prototype, 'checkUp')
    checkUp.mockRejectedValueOnce(new Error('this object is broken'))
    await tick()
    expect(queue.current.sentFor(good.jobId)).toHaveLength(1)
    expect((await jobRow(bad.jobId))?.sweepAfter).toBe(Date.now() + 120_000)
  })

  it('ends a job past its deadline whose object never answers, and waits for no object', async () => {
    const { videoId, jobId } = await aRunningVideo(undefined, {
      webhookUrl: 'https://hooks.example.com/',
    })
    vi.spyOn(JobRunner.prototype, 'checkUp').mockImplementation(
      async () => new Promise(() => undefined),
    )
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((work) => {
      queueMicrotask(() => work())
      return 0
    })
    advanceSeconds(3600)
    await tick()
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    advanceSeconds(43_200)
    await tick()
    expect(await videoRow(videoId)).toMatchObject({ status: 'failed' })
    expect(await jobRow(jobId)).toMatchObject({ error: { reason: 'out_of_time' } })
    expect(queue.current.deliveries).toHaveLength(1)
  })

  it('ends the rest a minute later if more such jobs are past their deadline than one tick ends', async () => {
    const client = await aClient()
    await Promise.all(Array.from({ length: 21 }, async () => aVideo(client)))
    vi.spyOn(JobRunner.prototype, 'checkUp').mockRejectedValue(new Error('does not answer'))
    const waiting = async () => (await client.get('/v1/videos?status=queued')).json['data']
    advanceSeconds(100_000)
    await tick()
    expect(await waiting()).not.toEqual([])
    advanceSeconds(60)
    await tick()
    expect(await waiting()).toEqual([])
  })

  it('runs its other steps if one of them fails', async () => {
    const { jobId } = await aVideo()
    queue.current.sent.length = 0
    const database = prototypeOf(bindings.DB)
    const prepare = database.prepare.bind(bindings.DB)
    const said = recordLog()
    vi.spyOn(database, 'prepare').mockImplementation((text: string) => {
      if (text.includes('idempotency_keys')) throw new Error('D1_ERROR: no such table')
      return prepare(text)
    })
    advanceSeconds(120)
    await tick()
    expect(queue.current.sentFor(jobId)).toHaveLength(1)
    const failed = said.lines().filter(({ event }) => event === 'a step of the sweep failed')
    expect(failed).toMatchObject([{ step: 'expired' }])
  })

  it('does not check jobs that have ended', async () => {
    const { jobId } = await aFinishedVideo()
    const before = await jobRow(jobId)
    advanceSeconds(100_000)
    await tick()
    expect(await jobRow(jobId)).toEqual(before)
    expect(queue.current.sentFor(jobId)).toEqual([])
  })

  it('sends every unfinished job at the first tick of a process, because local queues lose messages', async () => {
    const { jobId } = await aVideo()
    queue.current.sent.length = 0
    const process = await newProcess()
    await process.sweepJobs(bindings, Date.now())
    expect(queue.current.sentFor(jobId)).toHaveLength(1)
    queue.current.sent.length = 0
    await process.sweepJobs(bindings, Date.now())
    expect(queue.current.sentFor(jobId)).toEqual([])
  })
})

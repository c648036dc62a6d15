import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import type { UploadedOutput } from '../../../../worker/contract/job/report.ts'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { JobMemory, type RunState } from '../../../../worker/durable/job/job-memory.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import {
  aRunningVideo,
  aVideo,
  start,
  videoRow,
  type Started,
} from '../../../support/worker/videos.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { finalText } from '../../../support/worker/attempt.ts'
import { busy } from '../../../support/worker/media-workers.ts'

const { media, queue } = standInForAll()

const stop = { action: 'stop' }
const unwritten: UploadedOutput = {
  kind: 'final',
  sizeBytes: 26,
  parts: [{ partNumber: 1, etag: 'none' }],
}
const ring = async (jobId: string) => runDurableObjectAlarm(jobRunner(bindings, jobId))

type Memory = { state: RunState | undefined; alarmAt: number | null }

async function memoryOf(jobId: string): Promise<Memory> {
  return runInDurableObject(jobRunner(bindings, jobId), async (_, { storage }) => ({
    state: storage.kv.get<RunState>('run'),
    alarmAt: await storage.getAlarm(),
  }))
}

/** The state in which the object has died between doing something and remembering it. */
async function restore(jobId: string, { state, alarmAt }: Memory): Promise<void> {
  await runInDurableObject(jobRunner(bindings, jobId), async (_, { storage }) => {
    storage.kv.put('run', state)
    await (alarmAt === null ? storage.deleteAlarm() : storage.setAlarm(alarmAt))
  })
}

/** A video that was canceled by an object that does not remember it. */
async function canceledUnheard(): Promise<Started> {
  const client = await aClient()
  const started = await aRunningVideo(client)
  await started.attempt.askForUpload('final', finalText.length)
  const before = await memoryOf(started.jobId)
  await client.post(`/v1/videos/${started.videoId}/cancel`)
  await eventually(() => expect(media.current.cancels).toHaveLength(1))
  await restore(started.jobId, before)
  return started
}

/** A job that was put back into the queue by an object that does not remember it. */
async function releasedUnheard(): Promise<Started> {
  const started = await aRunningVideo()
  const before = await memoryOf(started.jobId)
  await started.attempt.release()
  await restore(started.jobId, before)
  queue.current.sent.length = 0
  return started
}

async function expectSettled(jobId: string): Promise<void> {
  const { state, alarmAt } = await memoryOf(jobId)
  expect(state?.running).toBeUndefined()
  expect(alarmAt).toBe((state?.endedAt ?? 0) + 3_600_000)
}

describe('a job runner that died before it remembered the end of its video', () => {
  it.each([
    ['success', async ({ attempt }: Started) => attempt.succeed([unwritten])],
    ['return', async ({ attempt }: Started) => attempt.release()],
  ] as const)('learns of it from the %s of its media worker, and stops that', async (_, say) => {
    const started = await canceledUnheard()
    expect((await say(started)).json).toEqual(stop)
    await expectSettled(started.jobId)
    expect(await videoRow(started.videoId)).toMatchObject({ status: 'canceled', result: null })
    expect(queue.current.sentFor(started.jobId)).toEqual([])
  })

  it('asks at the next report, although that tells nothing new, if it did not die and only the answer was lost', async () => {
    const client = await aClient()
    const { attempt, jobId, videoId } = await aRunningVideo(client)
    await attempt.progress(10)
    const database = prototypeOf(bindings.DB)
    const real = database.batch.bind(bindings.DB)
    const batch = vi.spyOn(database, 'batch').mockImplementationOnce(async (statements) => {
      await real(statements)
      throw new Error('D1 did not answer')
    })
    expect((await client.post(`/v1/videos/${videoId}/cancel`)).status).toBe(500)
    batch.mockRestore()
    expect(await videoRow(videoId)).toMatchObject({ status: 'canceled' })
    expect((await attempt.progress(10)).json).toEqual(stop)
    await expectSettled(jobId)
  })

  it('is woken by its alarm although nobody held the job', async () => {
    const { client, videoId, jobId } = await aVideo()
    media.current.takeJob = busy
    await queue.current.deliverNext(jobId)
    const { state } = await memoryOf(jobId)
    await client.post(`/v1/videos/${videoId}/cancel`)
    await restore(jobId, { ...(await memoryOf(jobId)), state })
    advanceSeconds(3600)
    await ring(jobId)
    await expectSettled(jobId)
  })
})

it('a job runner that died over the end of a job that nobody holds looks for that end an hour later, although its alarm rings for a message before', async () => {
  const { jobId } = await aVideo()
  media.current.takeJob = busy
  await queue.current.deliverNext(jobId)
  await runInDurableObject(jobRunner(bindings, jobId), async (_, { storage }) => {
    const memory = new JobMemory(storage)
    await memory.expectEnd()
    await memory.wakeAt(Date.now())
  })
  await ring(jobId)
  expect((await memoryOf(jobId)).alarmAt).toBe(Date.now() + 3_600_000)
  advanceSeconds(3600)
  await ring(jobId)
  expect((await memoryOf(jobId)).alarmAt).toBeNull()
})

it('a job runner that died over a cancel that arrives when nobody holds the job any more looks for that end an hour after it has put the job back', async () => {
  const { attempt, client, jobId, videoId } = await aRunningVideo()
  await attempt.release()
  await ring(jobId)
  const before = await memoryOf(jobId)
  await client.post(`/v1/videos/${videoId}/cancel`)
  await restore(jobId, before)
  advanceSeconds(3600)
  await ring(jobId)
  await expectSettled(jobId)
})

it('a job runner that died before it remembered that it had put its job back stops the media worker of that attempt, and sends the job again', async () => {
  const released = await releasedUnheard()
  expect((await released.attempt.progress(50)).json).toEqual(stop)
  const second = await start(released)
  expect(second.attempt.job.fence).toBe(2)
  expect((await second.attempt.progress(10)).json).toEqual({ action: 'carry-on' })
})

describe('a message that comes while the one before is dealt with', () => {
  it('is dealt with next, although it has the same number', async () => {
    const { jobId } = await aVideo()
    await runInDurableObject(jobRunner(bindings, jobId), async (_, { storage }) => {
      const memory = new JobMemory(storage)
      const message = { kind: 'dispatch', jobId, chain: 0 } as const
      await memory.keepMessage(message)
      expect(memory.takeMessage()).toEqual(message)
      await memory.keepMessage(message)
      expect(memory.nextMessage()).toEqual(message)
      expect(memory.nextMessage()).toBeUndefined()
      expect(memory.takeMessage()).toBeUndefined()
    })
  })

  it('is not put off by the end that is expected', async () => {
    const { jobId } = await aVideo()
    media.current.takeJob = busy
    await queue.current.deliverNext(jobId)
    const alarmAt = await runInDurableObject(jobRunner(bindings, jobId), async (_, { storage }) => {
      const memory = new JobMemory(storage)
      await memory.expectEnd()
      await memory.keepMessage({ kind: 'dispatch', jobId, chain: 1 })
      await memory.expectEndStill()
      return storage.getAlarm()
    })
    expect(alarmAt).toBe(Date.now())
  })
})

it('a job runner that fails names the job', async () => {
  const log = recordLog()
  const { jobId } = await aVideo()
  vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
    throw new Error('D1_ERROR: the database is overloaded')
  })
  await queue.current.deliverNext(jobId)
  const failures = log.lines().filter(({ event }) => event === 'job runner failed')
  expect(failures).toMatchObject([{ jobId }])
})

import { createScheduledController, runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { JobRunner } from '../../../worker/durable/job/job-runner.ts'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import worker from '../../../worker/index.ts'
import { aClient, administer } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { killSlots, ringSlots, settleSlots, slots } from '../../support/worker/dispatcher.ts'
import { busy, healthAnswer, taken } from '../../support/worker/media-workers.ts'
import type { Entering } from '../../../worker/service/line/dispatching.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import {
  aRunningVideo,
  aVideo,
  jobRow,
  videoRow,
  type Created,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { finalText } from '../../support/worker/attempt.ts'

const { media, queue } = standInForAll()

const noRoom = () => healthAnswer({ running: 1 })

async function inLine(client: Client): Promise<Created> {
  media.current.takeJob = busy
  media.current.answerHealth = noRoom
  advanceSeconds(1)
  const video = await aVideo(client)
  await queue.current.deliverNext(video.jobId)
  await settleSlots()
  return video
}

async function shown(client: Client, { videoId }: Created) {
  // Places are kept for two seconds.
  forgetAll()
  return client.record(videoId)
}

async function isRunning({ videoId }: Created): Promise<boolean> {
  return (await videoRow(videoId))?.status === 'running'
}

/** The next job that is called does what it should, and its answer is lost. */
function missNextAnswer(): void {
  // oxlint-disable-next-line typescript/unbound-method
  const { answerCall } = JobRunner.prototype
  vi.spyOn(JobRunner.prototype, 'answerCall').mockImplementationOnce(async function (
    this: JobRunner,
    ...given
  ) {
    await answerCall.apply(this, given)
    throw new Error('Network connection lost.')
  })
}

/** The object of the next job that is called does nothing, and says that it has started when it is told to. */
function delayNextAnswer(): () => void {
  const { promise, resolve } = Promise.withResolvers<'started'>()
  vi.spyOn(JobRunner.prototype, 'answerCall').mockImplementationOnce(async () => promise)
  return () => resolve('started')
}

/** What its object says when this job wants a slot. */
function entering({ accountId }: Client, jobId: string): Entering {
  const times = { createdAt: Date.now(), deadline: Date.now() + 3_600_000 }
  const plan = { weight: 1, maxRunning: null, version: 0, turn: null }
  return { jobId, accountId, ...times, chain: 0, plan, latest: 0, mayTryAtOnce: false }
}

async function tick(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
  await settleSlots()
}

describe('the record of a queued video', () => {
  it('has its place in line, which falls, and about when it begins', async () => {
    const [many, few] = [await aClient(), await aClient()]
    const holder = await aRunningVideo()
    const first = await inLine(many)
    const second = await inLine(many)
    const other = await inLine(few)
    // Accounts take turns.
    expect(await shown(many, first)).toMatchObject({ status: 'queued', queuePosition: 1 })
    expect(await shown(few, other)).toMatchObject({ queuePosition: 2 })
    expect(await shown(many, second)).toMatchObject({ queuePosition: 3 })
    expect(await shown(many, second)).not.toHaveProperty('estimatedStartAt')
    advanceSeconds(60)
    media.current.takeJob = taken
    const written = await holder.attempt.upload('final', finalText)
    await holder.attempt.succeed([written])
    await settleSlots()
    expect(await shown(many, first)).not.toHaveProperty('queuePosition')
    advanceSeconds(1)
    const { estimatedStartAt, ...rest } = await shown(many, second)
    expect(rest).toMatchObject({ queuePosition: 2 })
    const inSeconds = (Date.parse(String(estimatedStartAt)) - Date.now()) / 1000
    expect(inSeconds).toBeGreaterThan(110)
    expect(inSeconds).toBeLessThan(140)
  })

  it('has it again after the dispatcher was killed, and asks D1 once for all', async () => {
    const client = await aClient()
    await aRunningVideo()
    const videos = [await inLine(client), await inLine(client)]
    await killSlots()
    const log = recordStatements()
    for (const video of videos) await shown(client, video)
    const reads = log.texts.filter((text) => text.includes('videos_queued'))
    expect(reads).toHaveLength(1)
    expect(await shown(client, videos[1] ?? { videoId: '', jobId: '' })).toMatchObject({
      queuePosition: 2,
    })
  })
})

describe('the dispatcher', () => {
  it('keeps nobody in line who begins with a turn that it gave before it was restarted', async () => {
    const client = await aClient()
    const [first, second] = [await inLine(client), await inLine(client)]
    await killSlots()
    expect(await shown(client, second)).toMatchObject({ queuePosition: 2 })
    await slots().offered(first.jobId, 'started')
    advanceSeconds(3)
    expect(await shown(client, second)).toMatchObject({ queuePosition: 1 })
  })

  it('gives away the slot of a job that began with such a turn while the line was read', async () => {
    const client = await aClient()
    const [first, second] = [await inLine(client), await inLine(client)]
    await killSlots()
    const batch = bindings.DB.batch.bind(bindings.DB)
    vi.spyOn(prototypeOf(bindings.DB), 'batch').mockImplementationOnce(async (statements) => {
      const read = await batch(statements)
      await bindings.DB.prepare("UPDATE videos SET status = 'running' WHERE id = ?")
        .bind(first.videoId)
        .run()
      await slots().offered(first.jobId, 'started')
      return read
    })
    await slots().placesOf([second.jobId])
    media.current.takeJob = taken
    await slots().left(first.jobId, true)
    await settleSlots()
    expect(await isRunning(second)).toBe(true)
  })

  it('follows a cap that the operator changes, at once', async () => {
    const client = await aClient()
    const { accountId } = client
    await aRunningVideo(client)
    await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: 1 })
    media.current.takeJob = taken
    const capped = await aVideo(client)
    await queue.current.deliverNext(capped.jobId)
    await settleSlots()
    expect(await isRunning(capped)).toBe(false)
    await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: null })
    await settleSlots()
    expect(await isRunning(capped)).toBe(true)
  })

  it.each(['a message', 'another call'])(
    'learns from %s of a start that it has missed',
    async (by) => {
      const client = await aClient()
      const { accountId } = client
      await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: 1 })
      const [first, second] = [await inLine(client), await inLine(client)]
      media.current.takeJob = taken
      media.current.answerHealth = () => healthAnswer()
      missNextAnswer()
      advanceSeconds(15)
      await ringSlots()
      expect(await isRunning(first)).toBe(true)
      if (by === 'a message') await queue.current.deliverNext(first.jobId)
      // The turn of which nothing was heard is over.
      advanceSeconds(50)
      await ringSlots()
      expect(await isRunning(second)).toBe(false)
    },
  )

  it.each(['the dispatcher calls', 'its object asked for'])(
    'does not hear an answer to an earlier turn as one to a turn that %s',
    async (which) => {
      const client = await aClient()
      const { jobId } = await inLine(client)
      const answer = delayNextAnswer()
      media.current.answerHealth = () => healthAnswer()
      advanceSeconds(15)
      await runDurableObjectAlarm(slots())
      if (which === 'the dispatcher calls') {
        // The turn of which nothing was heard is over.
        advanceSeconds(50)
        await runDurableObjectAlarm(slots())
      } else {
        await slots().left(jobId, true)
        expect(await slots().enter(entering(client, jobId))).toMatchObject({ may: 'go' })
      }
      answer()
      await settleSlots()
      expect(await slots().waitingOf([jobId])).toEqual([jobId])
    },
  )

  it('calls the next job at once if the one that it has called is canceled instead', async () => {
    const client = await aClient()
    const [called, next] = [await inLine(client), await inLine(client)]
    media.current.takeJob = taken
    const [first] = media.current.urls
    media.current.answerHealth = (one) => (one === first ? healthAnswer() : noRoom())
    const answer = delayNextAnswer()
    advanceSeconds(15)
    await runDurableObjectAlarm(slots())
    await client.post(`/v1/videos/${called.videoId}/cancel`)
    answer()
    await settleSlots()
    expect(await isRunning(next)).toBe(true)
  })

  it('lets the message of a job that it has called wait for the call', async () => {
    const client = await aClient()
    const { jobId } = await inLine(client)
    const answers: string[] = []
    media.current.takeJob = async () => {
      answers.push((await slots().enter(entering(client, jobId))).may)
      return taken()
    }
    media.current.answerHealth = () => healthAnswer()
    advanceSeconds(15)
    await ringSlots()
    expect(answers).toEqual(['wait'])
  })

  it('learns from the sweep of jobs in line and of ended ones that it was not told of', async () => {
    const client = await aClient()
    const { accountId } = client
    const holder = await aRunningVideo(client)
    const capped = await inLine(client)
    await administer<'accounts.change'>({ command: 'accounts.change', accountId, maxRunning: 1 })
    await bindings.DB.prepare("UPDATE videos SET status = 'failed' WHERE id = ?")
      .bind(holder.videoId)
      .run()
    media.current.takeJob = taken
    await tick()
    media.current.answerHealth = () => healthAnswer()
    advanceSeconds(15)
    await ringSlots()
    expect(await isRunning(capped)).toBe(true)
  })

  it('spares the objects of jobs in line the looks of the sweep', async () => {
    await aRunningVideo()
    const { jobId } = await inLine(await aClient())
    advanceSeconds(901)
    const look = vi.spyOn(JobRunner.prototype, 'checkUp')
    await tick()
    expect(look).not.toHaveBeenCalledWith(jobId)
    expect(queue.current.sentFor(jobId)).toEqual([])
    expect((await jobRow(jobId))?.sweepAfter).toBeGreaterThan(Date.now())
  })
})

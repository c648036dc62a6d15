import { createScheduledController } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import worker from '../../../worker/index.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { Attempt } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { ringSlots, settleSlots } from '../../support/worker/dispatcher.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { healthAnswer } from '../../support/worker/media-workers.ts'
import {
  aRunningVideo,
  aVideo,
  finalText,
  jobRow,
  videoRow,
  type Created,
  type Started,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const standIns = standInForAll()
const { media, queue } = standIns

const acknowledged = { acknowledged: true, retried: false }

/** Of all media workers, one slot takes jobs. */
function oneSlot(): void {
  let isTaken = false
  media.current.takeJob = () => {
    if (isTaken) return new Response(null, { status: 503 })
    isTaken = true
    return new Response(null, { status: 202 })
  }
  media.current.answerHealth = (url) => {
    const running = isTaken || url !== media.current.urls[0] ? 1 : 0
    return healthAnswer({ running })
  }
  freeSlot = () => (isTaken = false)
}
let freeSlot: () => void = () => undefined

const attemptOf = ({ jobId }: Created) => new Attempt(media.current.lastJob(jobId))

async function succeed({ attempt }: Started): Promise<void> {
  freeSlot()
  await attempt.succeed([await attempt.upload('final', finalText)])
  await settleSlots()
}

/** The message comes from two consumers at the same time. */
async function deliverTwice({ jobId }: Created): Promise<void> {
  const message = { kind: 'dispatch', jobId, chain: 0 }
  const outcomes = await Promise.all([deliver(message), deliver(message)])
  expect(outcomes).toEqual([acknowledged, acknowledged])
  await settleSlots()
}

/** The media worker goes on reporting for so long. */
async function workOn({ attempt }: Started, minutes: number): Promise<void> {
  for (let half = 0; half < 2 * minutes; half++) {
    advanceSeconds(30)
    await attempt.progress(half)
  }
}

async function tick(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
  await settleSlots()
}

const takenOffers = ({ jobId }: Created) => media.current.offersOf(jobId).length
const statusOf = async ({ videoId }: Created) => (await videoRow(videoId))?.status

describe('a queue that delivers a message twice', () => {
  it('starts the job once: at the same time, ten minutes later, and after its end', async () => {
    const client = await aClient()
    const first = await aRunningVideo(standIns, client)
    await deliverTwice(first)
    await workOn(first, 10)
    await deliverTwice(first)
    expect(takenOffers(first)).toBe(1)
    expect(await jobRow(first.jobId)).toMatchObject({ attempts: 1, fence: 1 })
    await succeed(first)
    advanceSeconds(600)
    await deliverTwice(first)
    expect(takenOffers(first)).toBe(1)
    expect(await statusOf(first)).toBe('succeeded')
  })

  it('gives a waiting job one place in line and one turn, and the job behind it the next', async () => {
    oneSlot()
    const [client, other] = [await aClient(), await aClient()]
    const holder = await aRunningVideo(standIns, client)
    const second = await aVideo(client)
    await deliverTwice(second)
    advanceSeconds(1)
    const third = await aVideo(other)
    await deliverTwice(third)
    await workOn(holder, 10)
    await deliverTwice(second)
    const refused = [takenOffers(second), takenOffers(third)]
    const { json } = await other.get(`/v1/videos/${third.videoId}`)
    expect(json).toMatchObject({ status: 'queued', queuePosition: 1 })
    await succeed(holder)
    // The other account has had no turn yet, so its job is first.
    expect([await statusOf(second), await statusOf(third)]).toEqual(['queued', 'running'])
    await succeed({ ...third, attempt: attemptOf(third) })
    expect(await statusOf(second)).toBe('running')
    expect([takenOffers(second), takenOffers(third)]).toEqual(refused.map((count) => count + 1))
    await succeed({ ...second, attempt: attemptOf(second) })
  })
})

describe('a queue that lags by a quarter of an hour', () => {
  it('starts each job once when everything comes at last, and neither loses the slot', async () => {
    oneSlot()
    const client = await aClient()
    const [first, second] = [await aVideo(client), await aVideo(client)]
    for (let minute = 0; minute < 15; minute++) {
      advanceSeconds(60)
      await tick()
    }
    const late = queue.current.sent.splice(0)
    // The sweep has sent their messages again, but not every minute.
    expect(late.length).toBeGreaterThan(2)
    expect(late.length).toBeLessThanOrEqual(12)
    await Promise.all(late.map(async ({ body }) => deliver(body)))
    await settleSlots()
    expect([await statusOf(first), await statusOf(second)].sort()).toEqual(['queued', 'running'])
    const isFirst = (await statusOf(first)) === 'running'
    const [running, waiting] = isFirst ? [first, second] : [second, first]
    await succeed({ ...running, attempt: attemptOf(running) })
    expect(await statusOf(running)).toBe('succeeded')
    expect(await statusOf(waiting)).toBe('running')
    await Promise.all(late.map(async ({ body }) => deliver(body)))
    await ringSlots()
    await succeed({ ...waiting, attempt: attemptOf(waiting) })
    for (const { jobId } of [first, second]) {
      expect(await jobRow(jobId)).toMatchObject({ attempts: 1 })
    }
    expect(await statusOf(await aRunningVideo(standIns, client))).toBe('running')
  })

  it('does not keep others from their turns', async () => {
    oneSlot()
    const client = await aClient()
    const lagging = await aVideo(client)
    advanceSeconds(60)
    const other = await aRunningVideo(standIns, client)
    expect(await statusOf(other)).toBe('running')
    await queue.current.deliverNext(lagging.jobId)
    await settleSlots()
    expect(await statusOf(lagging)).toBe('queued')
    await succeed(other)
    expect(await statusOf(lagging)).toBe('running')
  })
})

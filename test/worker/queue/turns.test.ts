import { describe, expect, it } from 'vitest'
import { aClient, administer } from '../../support/worker/accounts.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { ringSlots, settleSlots } from '../../support/worker/dispatcher.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { busy, healthAnswer, taken } from '../../support/worker/media-workers.ts'
import {
  aRunningVideo,
  aVideo,
  inLine,
  jobRow,
  videoRow,
  type Created,
  type Started,
} from '../../support/worker/videos.ts'
import { Attempt } from '../../support/worker/attempt.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

async function aPlan(plan: { weight?: number; maxRunning?: number }): Promise<Client> {
  const client = await aClient()
  const { accountId } = client
  await administer<'accounts.change'>({ command: 'accounts.change', accountId, ...plan })
  return client
}

/** The media worker has one slot, and the first job gets it. */
function oneSlot(): void {
  let isFree = true
  media.current.takeJob = () => {
    if (!isFree) return busy()
    isFree = false
    return taken()
  }
}

async function endAndServe(holder: { attempt: Attempt }): Promise<void> {
  await holder.attempt.fail({ retryable: false })
  await settleSlots()
}

async function running(videos: readonly Created[]): Promise<Created[]> {
  const rows = await Promise.all(videos.map(async ({ videoId }) => videoRow(videoId)))
  return videos.filter((_, i) => rows[i]?.status === 'running')
}

/** Frees the one slot this number of times; returns which jobs had it, in order. */
async function serve(holder: Started, videos: readonly Created[], times: number) {
  const order: Created[] = []
  let attempt = holder.attempt
  for (let i = 0; i < times; i++) {
    oneSlot()
    await endAndServe({ attempt })
    const [now] = await running(videos)
    if (!now) throw new Error('nobody has the slot')
    order.push(now)
    attempt = new Attempt(media.current.lastJob(now.jobId))
  }
  return order
}

describe('slots that become free', () => {
  it('go to accounts in turn, by the weights of their plans', async () => {
    const heavy = await aPlan({ weight: 3 })
    const light = await aPlan({})
    const holder = await aRunningVideo()
    const ofLight = await inLine(light, 4)
    const ofHeavy = await inLine(heavy, 7)
    const order = await serve(holder, [...ofLight, ...ofHeavy], 8)
    expect(order.filter((job) => ofHeavy.includes(job))).toHaveLength(6)
    expect(order.filter((job) => ofLight.includes(job))).toEqual(ofLight.slice(0, 2))
  })

  it('are not taken by a new job while others wait', async () => {
    const holder = await aRunningVideo()
    const waiting = await inLine(await aClient(), 1)
    const fresh = await aVideo()
    const before = media.current.offers.length
    await queue.current.deliverNext(fresh.jobId)
    expect(media.current.offers).toHaveLength(before)
    expect(await jobRow(fresh.jobId)).toMatchObject({ waits: 1, chain: 0 })
    expect(await serve(holder, [...waiting, fresh], 2)).toEqual([...waiting, fresh])
  })

  it('skip a job that media workers refuse, while others can run', async () => {
    const [odd, other] = await inLine(await aClient(), 2)
    media.current.takeJob = ({ job }) =>
      job.jobId === odd?.jobId ? new Response('{}', { status: 400 }) : taken()
    advanceSeconds(1)
    await ringSlots()
    expect(await running([odd, other].flatMap((job) => job ?? []))).toEqual([other])
  })

  it('go to other accounts when a media worker with a free slot refuses one', async () => {
    const slow = await inLine(await aClient(), 3)
    const [other] = await inLine(await aClient(), 1)
    const refused = new Set(slow.map(({ jobId }) => jobId))
    media.current.takeJob = ({ job }) => (refused.has(job.jobId) ? busy() : taken())
    for (let look = 0; look < 2; look++) {
      advanceSeconds(1)
      await ringSlots()
    }
    expect(await running([...slow, ...(other ? [other] : [])])).toEqual([other])
  })
})

it('a plan with a cap never runs more jobs at once, and keeps no other account waiting', async () => {
  const capped = await aPlan({ maxRunning: 2 })
  media.current.takeJob = taken
  media.current.answerHealth = () => healthAnswer({ slots: 9 })
  const videos: Created[] = []
  for (let i = 0; i < 4; i++) videos.push(await aVideo(capped))
  await Promise.all(videos.map(async ({ jobId }) => queue.current.deliverNext(jobId)))
  await settleSlots()
  const first = await running(videos)
  expect(first).toHaveLength(2)
  const other = await aRunningVideo()
  expect(await running([other])).toHaveLength(1)
  const [one] = first
  await endAndServe({ attempt: new Attempt(media.current.lastJob(one?.jobId ?? '')) })
  expect(await running(videos)).toHaveLength(2)
})

describe('the messages of a job', () => {
  it('are over once it stands in line, however often they come', async () => {
    media.current.takeJob = busy
    const { jobId } = await aVideo()
    const message = { kind: 'dispatch', jobId, chain: 0 }
    queue.current.sent.splice(0)
    await Promise.all([deliver(message), deliver(message), deliver(message)])
    expect(queue.current.sentFor(jobId)).toEqual([])
    expect(media.current.offersOf(jobId)).toHaveLength(media.current.urls.length)
    expect(await jobRow(jobId)).toMatchObject({ waits: 1 })
  })

  it('from before an attempt are ignored after it', async () => {
    const { jobId, videoId, attempt } = await aRunningVideo()
    queue.current.sent.splice(0)
    await attempt.fail()
    await settleSlots()
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    const offers = media.current.offersOf(jobId).length
    const old = { kind: 'dispatch', jobId, chain: 0 }
    expect(await deliver(old)).toMatchObject({ acknowledged: true })
    expect(media.current.offersOf(jobId)).toHaveLength(offers)
    expect(queue.current.sentFor(jobId)).toMatchObject([{ body: { chain: 1 } }])
  })
})

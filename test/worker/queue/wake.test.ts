import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { deliver, standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { aRunningVideo, aVideo, videoRow, type Created } from '../../support/worker/videos.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }

const busy = () => new Response(null, { status: 503 })
const free = () => new Response(null, { status: 202 })

/** Videos that found no free media worker, the first one waiting longest. */
async function waiting(count: number): Promise<Created[]> {
  const client = await aClient()
  media.current.takeJob = busy
  const videos: Created[] = []
  for (let i = 0; i < count; i++) {
    advanceSeconds(1)
    const video = await aVideo(client)
    await queue.current.deliverNext(video.jobId)
    videos.push(video)
  }
  queue.current.sent.length = 0
  return videos
}

const woken = () =>
  queue.current.sent.flatMap(({ body }) => (body.kind === 'turn' ? [body.jobId] : []))

describe('a slot that becomes free', () => {
  it('wakes the job that waited longest, at once', async () => {
    const holder = await aRunningVideo(standIns, await aClient())
    const [oldest] = await waiting(3)
    media.current.takeJob = free
    await holder.attempt.fail({ retryable: false })
    expect(queue.current.sent).toEqual([
      {
        body: { kind: 'turn', jobId: oldest?.jobId, at: Date.now(), triesLeft: 2 },
        delaySeconds: 0,
      },
    ])
    await queue.current.deliverNext(oldest?.jobId ?? '')
    expect(await videoRow(oldest?.videoId ?? '')).toMatchObject({ status: 'running' })
  })

  it('may be that of a job that waits for slow sources, and wakes one job each time', async () => {
    const { attempt } = await aRunningVideo(standIns, await aClient())
    const [oldest, next] = await waiting(3)
    await attempt.progress(1, 'fetching')
    expect(woken()).toEqual([])
    for (let i = 0; i < 3; i++) await attempt.progress(2, 'fetching', { slotFree: true })
    expect(woken()).toEqual([oldest?.jobId])
    await attempt.progress(15, 'measuring')
    await attempt.progress(16, 'measuring', { slotFree: true })
    expect(woken()).toEqual([oldest?.jobId, next?.jobId])
  })

  it('wakes one job each, however many become free together', async () => {
    const client = await aClient()
    const holders = [
      await aRunningVideo(standIns, client),
      await aRunningVideo(standIns, client),
      await aRunningVideo(standIns, client),
    ]
    const videos = await waiting(4)
    await Promise.all(holders.map(async ({ attempt }) => attempt.fail({ retryable: false })))
    expect(woken().sort()).toEqual(
      videos
        .slice(0, 3)
        .map(({ jobId }) => jobId)
        .sort(),
    )
  })

  it('may be free a moment later than reported', async () => {
    const holder = await aRunningVideo(standIns, await aClient())
    const [oldest] = await waiting(1)
    const jobId = oldest?.jobId ?? ''
    await holder.attempt.fail({ retryable: false })
    await queue.current.deliverNext(jobId)
    expect(queue.current.sentFor(jobId)).toMatchObject([
      { delaySeconds: 1, body: { triesLeft: 1 } },
    ])
    media.current.takeJob = free
    await queue.current.deliverNext(jobId)
    expect(await videoRow(oldest?.videoId ?? '')).toMatchObject({ status: 'running' })
  })

  it('leaves a job that was woken in vain with the one delayed message it had', async () => {
    const holder = await aRunningVideo(standIns, await aClient())
    const [oldest] = await waiting(1)
    const jobId = oldest?.jobId ?? ''
    await holder.attempt.fail({ retryable: false })
    for (let i = 0; i < 3; i++) await queue.current.deliverNext(jobId)
    expect(queue.current.sentFor(jobId)).toEqual([])
  })

  it('wakes a job again at once that was woken in vain a moment ago', async () => {
    const client = await aClient()
    const holders = [await aRunningVideo(standIns, client), await aRunningVideo(standIns, client)]
    const [last] = await waiting(1)
    const jobId = last?.jobId ?? ''
    await holders[0]?.attempt.fail({ retryable: false })
    for (let i = 0; i < 3; i++) await queue.current.deliverNext(jobId)
    await holders[1]?.attempt.fail({ retryable: false })
    expect(woken()).toEqual([jobId])
  })

  it('is passed on when the job it was meant for has ended meanwhile', async () => {
    const holder = await aRunningVideo(standIns, await aClient())
    const [oldest, next] = await waiting(2)
    const offered = media.current.offersOf(next?.jobId ?? '').length
    await holder.attempt.fail({ retryable: false })
    await bindings.DB.prepare("UPDATE videos SET status = 'canceled' WHERE id = ?")
      .bind(oldest?.videoId)
      .run()
    await queue.current.deliverNext(oldest?.jobId ?? '')
    expect(media.current.offersOf(next?.jobId ?? '').length).toBeGreaterThan(offered)
    expect(woken()).toEqual([next?.jobId])
  })

  it('wakes others as well if one that had to wait finds a slot, as after a restart', async () => {
    const [first, second, third] = await waiting(3)
    media.current.takeJob = free
    await deliver({ kind: 'dispatch', jobId: first?.jobId, chain: 1 })
    expect(await videoRow(second?.videoId ?? '')).toMatchObject({ status: 'running' })
    expect(await videoRow(third?.videoId ?? '')).toMatchObject({ status: 'running' })
    expect(queue.current.sent).toEqual([])
  })

  it('ends the video even if no job can be woken', async () => {
    const holder = await aRunningVideo(standIns, await aClient())
    await waiting(1)
    queue.current.fault = new Error('queue is down')
    expect((await holder.attempt.fail({ retryable: false })).status).toBe(200)
    expect(await videoRow(holder.videoId)).toMatchObject({ status: 'failed' })
  })
})

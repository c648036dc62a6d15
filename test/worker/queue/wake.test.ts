import { describe, expect, it, vi } from 'vitest'
import { JobRunner } from '../../../worker/durable/job/job-runner.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { killSlots, ringSlots, settleSlots } from '../../support/worker/dispatcher.ts'
import { busy, healthAnswer, taken } from '../../support/worker/media-workers.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import {
  aRunningVideo,
  aVideo,
  inLine,
  videoRow,
  type Created,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

/** The media worker has this number of slots left. */
function slotsLeft(count: number): void {
  let left = count
  media.current.takeJob = () => (left-- > 0 ? taken() : busy())
  // Of all media workers, the first has them.
  media.current.answerHealth = (url) =>
    healthAnswer({
      slots: 9,
      running: url === media.current.urls[0] ? 9 - Math.max(0, left) : 9,
    })
}

/** Videos that found no free media worker, the first one waiting longest. */
async function waiting(count: number): Promise<Created[]> {
  slotsLeft(0)
  const videos = await inLine(await aClient(), count)
  queue.current.sent.length = 0
  return videos
}

async function running(videos: readonly (Created | undefined)[]): Promise<boolean[]> {
  await settleSlots()
  const rows = await Promise.all(videos.map(async (one) => videoRow(one?.videoId ?? '')))
  return rows.map((row) => row?.status === 'running')
}

describe('a slot that becomes free', () => {
  it('goes to the job that waited longest, at once and without a message', async () => {
    const holder = await aRunningVideo()
    const videos = await waiting(3)
    slotsLeft(9)
    await holder.attempt.fail({ retryable: false })
    expect(await running(videos)).toEqual([true, false, false])
    expect(queue.current.sent).toEqual([])
  })

  it('may be that of a job that waits for slow sources, and goes to one job each time', async () => {
    const { attempt } = await aRunningVideo()
    const videos = await waiting(3)
    slotsLeft(9)
    await attempt.progress(1, 'fetching')
    expect(await running(videos)).toEqual([false, false, false])
    for (let i = 0; i < 3; i++) await attempt.progress(2, 'fetching', { slotFree: true })
    expect(await running(videos)).toEqual([true, false, false])
    await attempt.progress(15, 'measuring')
    await attempt.progress(16, 'measuring', { slotFree: true })
    await attempt.fail({ retryable: false })
    expect(await running(videos)).toEqual([true, false, false])
  })

  it('may be the one that a job got when its slow sources were here', async () => {
    const { attempt } = await aRunningVideo()
    const videos = await waiting(3)
    slotsLeft(9)
    await attempt.progress(2, 'fetching', { slotFree: true })
    await attempt.progress(15, 'measuring')
    expect(await running(videos)).toEqual([true, false, false])
    await attempt.fail({ retryable: false })
    expect(await running(videos)).toEqual([true, true, false])
  })

  it('goes to one job each, however many become free together', async () => {
    const client = await aClient()
    const holders = [
      await aRunningVideo(client),
      await aRunningVideo(client),
      await aRunningVideo(client),
    ]
    const videos = await waiting(4)
    slotsLeft(9)
    await Promise.all(holders.map(async ({ attempt }) => attempt.fail({ retryable: false })))
    expect(await running(videos)).toEqual([true, true, true, false])
  })

  it('may be free a moment later than reported', async () => {
    const holder = await aRunningVideo()
    const videos = await waiting(1)
    await holder.attempt.fail({ retryable: false })
    expect(await running(videos)).toEqual([false])
    slotsLeft(1)
    advanceSeconds(1)
    await ringSlots()
    expect(await running(videos)).toEqual([true])
  })

  it('goes to the next job when the one it was meant for has ended meanwhile', async () => {
    const holder = await aRunningVideo()
    const [oldest, next] = await waiting(2)
    await bindings.DB.prepare("UPDATE videos SET status = 'canceled' WHERE id = ?")
      .bind(oldest?.videoId)
      .run()
    slotsLeft(1)
    await holder.attempt.fail({ retryable: false })
    expect(await running([oldest, next])).toEqual([false, true])
  })

  it('goes to nobody who was canceled while waiting, and to the next one instead', async () => {
    const client = await aClient()
    const holder = await aRunningVideo()
    slotsLeft(0)
    const canceled = await aVideo(client)
    await queue.current.deliverNext(canceled.jobId)
    const [next] = await waiting(1)
    await client.post(`/v1/videos/${canceled.videoId}/cancel`)
    const offers = media.current.offersOf(canceled.jobId).length
    slotsLeft(1)
    await holder.attempt.fail({ retryable: false })
    expect(await running([next])).toEqual([true])
    expect(media.current.offersOf(canceled.jobId)).toHaveLength(offers)
  })

  it('ends the video even if the next job cannot be called, which a message then brings', async () => {
    const holder = await aRunningVideo()
    const [next] = await waiting(1)
    slotsLeft(1)
    const call = vi.spyOn(JobRunner.prototype, 'answerCall').mockRejectedValue(new Error('gone'))
    expect((await holder.attempt.fail({ retryable: false })).status).toBe(200)
    expect(await running([next])).toEqual([false])
    call.mockRestore()
    await queue.current.deliverNext(next?.jobId ?? '')
    expect(await running([next])).toEqual([true])
  })

  it('has its turn taken back if neither call nor message arrives', async () => {
    const holder = await aRunningVideo()
    const [next] = await waiting(1)
    slotsLeft(1)
    const call = vi.spyOn(JobRunner.prototype, 'answerCall').mockRejectedValue(new Error('gone'))
    queue.current.fault = new Error('queue is down')
    await holder.attempt.fail({ retryable: false })
    await settleSlots()
    call.mockRestore()
    advanceSeconds(46)
    await ringSlots()
    expect(await running([next])).toEqual([true])
  })
})

describe('a line', () => {
  it('costs no statement and no offer while nothing moves, however often the dispatcher looks', async () => {
    await aRunningVideo()
    await waiting(3)
    const offers = media.current.offers.length
    const log = recordStatements()
    for (let i = 0; i < 10; i++) {
      advanceSeconds(10)
      await ringSlots()
    }
    expect(log.calls).toBe(0)
    expect(media.current.offers).toHaveLength(offers)
  })

  it('is filled into all slots of a media worker that comes back', async () => {
    const videos = await waiting(4)
    slotsLeft(3)
    advanceSeconds(1)
    await ringSlots()
    expect(await running(videos)).toEqual([true, true, true, false])
  })

  it('is joined by a job whose message was lost, at the next look of the sweep', async () => {
    const [first] = await waiting(1)
    const lost = await aVideo()
    queue.current.sent.length = 0
    await killSlots()
    slotsLeft(2)
    await ringSlots()
    expect(await running([first, lost])).toEqual([true, true])
  })

  it('ends a job that has waited for a day', async () => {
    const [first] = await waiting(1)
    advanceSeconds(86_401)
    await ringSlots()
    expect(await videoRow(first?.videoId ?? '')).toMatchObject({ status: 'failed' })
  })
})

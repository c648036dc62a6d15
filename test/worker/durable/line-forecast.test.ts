import { expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { stopTheClock, advanceSeconds } from '../../support/worker/clock.ts'
import { settleSlots } from '../../support/worker/dispatcher.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { healthAnswer, standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { aRunningVideo, aVideo, finalText } from '../../support/worker/videos.ts'

stopTheClock()
const media = standInMediaWorkers()
const queue = standInQueue()
const standIns = { media, queue }

it('a queued video begins when the running one ends, not after the time that videos usually take', async () => {
  const quick = await aRunningVideo(standIns, await aClient())
  advanceSeconds(13)
  await quick.attempt.succeed([await quick.attempt.upload('final', finalText)])
  const long = await aRunningVideo(standIns, await aClient())
  media.current.takeJob = () => new Response(null, { status: 503 })
  media.current.answerHealth = () => healthAnswer({ running: 1 })
  const client = await aClient()
  const next = await aVideo(client)
  await queue.current.deliverNext(next.jobId)
  await settleSlots()
  advanceSeconds(30)
  await long.attempt.progress(20, 'rendering', { left: { seconds: 120, least: 90, most: 160 } })
  const { queuePosition, estimatedStartAt } = (await client.get(`/v1/videos/${next.videoId}`)).json
  expect(queuePosition).toBe(1)
  expect((Date.parse(String(estimatedStartAt)) - Date.now()) / 1000).toBeCloseTo(120, 0)
})

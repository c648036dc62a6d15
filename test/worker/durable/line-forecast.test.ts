import { expect, it } from 'vitest'
import { LineForecast } from '../../../worker/durable/line-forecast.ts'
import { Line } from '../../../worker/service/line/line.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { settleSlots } from '../../support/worker/dispatcher.ts'
import { healthAnswer, busy } from '../../support/worker/media-workers.ts'
import { aRunningVideo, aVideo } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

it('a queued video begins when the running one ends, not after the time that videos usually take', async () => {
  const quick = await aRunningVideo()
  advanceSeconds(13)
  await quick.attempt.finish()
  const long = await aRunningVideo()
  media.current.takeJob = busy
  media.current.answerHealth = () => healthAnswer({ running: 1 })
  const client = await aClient()
  const next = await aVideo(client)
  await queue.current.deliverNext(next.jobId)
  await settleSlots()
  advanceSeconds(30)
  await long.attempt.progress(20, 'rendering', { left: { seconds: 120, least: 90, most: 160 } })
  const { json } = await client.get(`/v1/videos/${next.videoId}`)
  const { queuePosition, estimatedStartAt } = json
  expect(queuePosition).toBe(1)
  expect((Date.parse(String(estimatedStartAt)) - Date.now()) / 1000).toBeCloseTo(120, 0)
  expect(json).toHaveProperty('secondsLeft')
  expect((await client.get('/v1/videos')).json['data']).toEqual([json])
})

it('videos that were sent with the running one are taken to last as long as that one', async () => {
  const short = await aRunningVideo()
  advanceSeconds(5)
  await short.attempt.finish()
  const client = await aClient()
  const running = await aRunningVideo(client)
  media.current.takeJob = busy
  media.current.answerHealth = () => healthAnswer({ running: 1 })
  const videos = [await aVideo(client), await aVideo(client)]
  for (const { jobId } of videos) await queue.current.deliverNext(jobId)
  await settleSlots()
  advanceSeconds(10)
  await running.attempt.progress(20, 'rendering', { left: { seconds: 40, least: 30, most: 60 } })
  const read = async (videoId: string) => client.record(videoId)
  const both = await Promise.all(videos.map(async ({ videoId }) => read(videoId)))
  // They came in one millisecond, so either may be the last one.
  const last = Math.max(...both.map((record) => Date.parse(String(record['estimatedStartAt']))))
  // 40 seconds of the running one, and 50 of the next.
  expect((last - Date.now()) / 1000).toBeCloseTo(90, 0)
})

it('two that ask at once are told the same, and not what was foreseen before', async () => {
  const [accountId, jobId] = ['a_1', 'j_next']
  const line = new Line()
  line.hold('j_running', { accountId, startedAt: 0 })
  line.join({ jobId, accountId, createdAt: 0, chain: 0, deadline: Infinity })
  const lefts = [60_000, 20_000]
  const forecast = new LineForecast(line, async () => lefts.shift())
  const startsIn = async (now: number) => (await forecast.placesOf([jobId], now))[0]?.startsInMs
  expect(await startsIn(0)).toBe(60_000)
  expect(await Promise.all([startsIn(10_000), startsIn(10_000)])).toEqual([20_000, 20_000])
})

it('a job that ended before it began, because the clock was put back, tells nothing of the next', async () => {
  const [accountId, jobId] = ['a_1', 'j_next']
  const line = new Line()
  line.hold('j_running', { accountId, startedAt: 0 })
  line.join({ jobId, accountId, createdAt: 0, chain: 0, deadline: Infinity })
  const forecast = new LineForecast(line, async () => 60_000)
  for (const ms of [10_000, -300_000]) forecast.note({ accountId, ms })
  const [place] = await forecast.placesOf([jobId], 0)
  expect(place?.left?.seconds).toBeGreaterThan(60)
})

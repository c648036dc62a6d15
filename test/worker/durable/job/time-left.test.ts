import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { killSlots } from '../../../support/worker/dispatcher.ts'
import { aRunningVideo } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

describe('the time that is left of a running video', () => {
  it('is in its record and in the list as its media worker told it, less what has passed since', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    const first = await client.record(videoId)
    expect(first['secondsElapsed']).toBe(0)
    expect(first).not.toHaveProperty('secondsLeft')
    advanceSeconds(20)
    await attempt.progress(10, 'rendering', { left: { seconds: 100, least: 60, most: 170 } })
    advanceSeconds(4)
    const now = {
      secondsElapsed: 24,
      secondsLeft: 96,
      secondsLeftRange: { least: 56, most: 166 },
    }
    expect(await client.record(videoId)).toMatchObject(now)
    expect((await client.get('/v1/videos')).json['data']).toMatchObject([now])
  })

  it('has no range any more once it is certain, and has one again when it should be over, but never is nothing', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(90, 'rendering', { left: { seconds: 10, least: 9.5, most: 10.6 } })
    const read = async () => client.record(videoId)
    expect(await read()).toMatchObject({ secondsLeft: 10 })
    expect(await read()).not.toHaveProperty('secondsLeftRange')
    advanceSeconds(15)
    expect(await read()).toMatchObject({
      secondsLeft: 3.8,
      secondsLeftRange: { least: 0, most: 11.3 },
    })
  })

  it('is gone from the record of a video that has ended, which says how long it took', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    advanceSeconds(7)
    await attempt.progress(50, 'rendering', { left: { seconds: 9, least: 5, most: 20 } })
    advanceSeconds(5)
    await attempt.finish()
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'succeeded', secondsElapsed: 12 })
    expect(json).not.toHaveProperty('secondsLeft')
  })
})

it('a job is told how fast the ones before it were, also after the dispatcher was restarted', async () => {
  const client = await aClient()
  const worked = [{ kind: 'encoding mp4', units: 200, ms: 5_000 }]
  const { attempt } = await aRunningVideo(client)
  await attempt.finish({ worked })
  const { attempt: second } = await aRunningVideo(client)
  expect(second.job.paces?.['encoding mp4']?.ms).toBe(25)
  await killSlots()
  const { attempt: third } = await aRunningVideo(client)
  expect(third.job.paces).toEqual(second.job.paces)
})

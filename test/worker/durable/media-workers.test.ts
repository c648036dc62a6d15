import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { aTrace } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import {
  aRunningVideo,
  aVideo,
  attemptRows,
  jobRow,
  videoRow,
} from '../../support/worker/videos.ts'
import { busy, taken } from '../../support/worker/media-workers.ts'
import { eventually } from '../../support/node/eventually.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

const refused = () => Response.json({ error: 'ValidationError' }, { status: 400 })
const dead = () => {
  throw new TypeError('connection refused')
}
const hung = () => {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}

/** Media workers with these answers, in the order they are asked. */
function answers(...each: (() => Response)[]): void {
  let asked = 0
  media.current.takeJob = () => (each[asked++] ?? taken)()
}

/** As the dispatcher calls a job, whether or not there is room. */
const offerAgain = async (jobId: string) => jobRunner(bindings, jobId).answerCall(jobId)

// Moves past the time for which a media worker that hung in the previous test is not asked.
let tests = 0
beforeEach(() => advanceSeconds(60 * ++tests))

describe('several media workers', () => {
  it.each([
    ['dead', dead],
    ['busy', busy],
    ['silent for 5 s', hung],
    ['of another version', refused],
  ])('take a job when the first one asked is %s', async (_, first) => {
    const { videoId, jobId } = await aVideo()
    answers(first, taken)
    await queue.current.deliverNext(jobId)
    const asked = media.current.offersOf(jobId).map(({ worker }) => worker)
    expect(asked.toSorted()).toEqual(media.current.urls.toSorted())
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    expect(await jobRow(jobId)).toMatchObject({ attempts: 1, fence: 2 })
  })

  it('share the work', async () => {
    const client = await aClient()
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.6)
    await aRunningVideo(client)
    await aRunningVideo(client)
    expect(media.current.offers.map(({ worker }) => worker)).toEqual(media.current.urls)
  })

  it('are not asked for a while after they hang, so that they do not delay offers', async () => {
    const client = await aClient()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    answers(hung, busy)
    const { jobId } = await aVideo(client)
    await offerAgain(jobId)
    media.current.takeJob = busy
    await offerAgain(jobId)
    expect(media.current.offers).toHaveLength(3)
    advanceSeconds(16)
    await offerAgain(jobId)
    expect(media.current.offers).toHaveLength(5)
  })
})

describe('a job that every media worker refuses', () => {
  it('waits for a rollout, and then fails with a clear message', async () => {
    const { client, videoId, jobId } = await aVideo()
    media.current.takeJob = refused
    await offerAgain(jobId)
    advanceSeconds(1800)
    await offerAgain(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    advanceSeconds(1)
    await offerAgain(jobId)
    expect(await client.record(videoId)).toMatchObject({
      status: 'failed',
      errorMessage:
        'Every media worker refused this job for 30 minutes; they may be of another version than the service.',
    })
    expect(await jobRow(jobId)).toMatchObject({ attempts: 0, error: { reason: 'internal' } })
  })

  it('fails even if one of them is gone for good', async () => {
    const { videoId, jobId } = await aVideo()
    answers(refused, dead)
    await offerAgain(jobId)
    advanceSeconds(1801)
    answers(dead, refused)
    await offerAgain(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'failed' })
  })

  it('gets its whole time again once one of them is only busy, or has understood it', async () => {
    const { videoId, jobId } = await aVideo()
    media.current.takeJob = refused
    await offerAgain(jobId)
    advanceSeconds(1000)
    answers(refused, busy)
    await offerAgain(jobId)
    advanceSeconds(1000)
    media.current.takeJob = refused
    await offerAgain(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    media.current.takeJob = taken
    await offerAgain(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })
})

describe('the trace of an attempt that never sent one', () => {
  it('is the answer of its media worker to the cancel', async () => {
    const { client, videoId, jobId } = await aRunningVideo()
    media.current.answerCancel = () => Response.json({ canceled: true, trace: aTrace })
    await client.post(`/v1/videos/${videoId}/cancel`)
    await eventually(async () =>
      expect((await client.get(`/v1/jobs/${jobId}`)).json['attempts']).toMatchObject([
        { attempt: 1, outcome: 'canceled', ...aTrace },
      ]),
    )
  })

  it('is made from its reports, if nobody answers', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    advanceSeconds(2)
    await attempt.progress(16, 'measuring')
    advanceSeconds(3)
    media.current.answerCancel = dead
    await client.post(`/v1/videos/${videoId}/cancel`)
    expect((await attemptRows(jobId))[0]?.trace).toMatchObject({
      phases: [
        { name: 'fetching', durationMs: 2000 },
        { name: 'measuring', durationMs: 3000 },
      ],
      commands: [],
    })
  })

  it('wakes a waiting job only when the canceled one has given its slot back', async () => {
    await bindings.DB.exec("UPDATE videos SET status = 'canceled' WHERE status = 'queued'")
    const { client, videoId } = await aRunningVideo()
    media.current.takeJob = busy
    const waiting = await aVideo(client)
    await queue.current.deliverNext(waiting.jobId)
    const offers = media.current.offersOf(waiting.jobId).length
    let offersBefore: number | undefined
    media.current.answerCancel = () => {
      offersBefore = media.current.offersOf(waiting.jobId).length
      return Response.json({ canceled: true })
    }
    await client.post(`/v1/videos/${videoId}/cancel`)
    await eventually(() =>
      expect(media.current.offersOf(waiting.jobId).length).toBeGreaterThan(offers),
    )
    expect(offersBefore).toBe(offers)
  })
})

it('the memory of a job runner is not created again by calls after it was deleted', async () => {
  const { videoId, attempt } = await aRunningVideo()
  await attempt.fail({ retryable: false })
  const before = await videoRow(videoId)
  const runner = jobRunner(bindings, attempt.job.jobId)
  advanceSeconds(3600)
  await runDurableObjectAlarm(runner)
  expect((await attempt.progress(50)).json).toEqual({ action: 'stop' })
  expect((await attempt.fail()).json).toEqual({ action: 'stop' })
  expect((await attempt.askForUpload('final', 1)).status).toBe(409)
  const { jobId } = attempt.job
  const again = { kind: 'dispatch', jobId, chain: 9 } as const
  expect(await runner.dispatch(again)).toBeUndefined()
  expect(await runner.checkUp(jobId)).toEqual({ found: 'ended' })
  expect(await runner.cancel(jobId)).toBe('already-ended')
  const kept = async () => runInDurableObject(runner, (_, state) => [...state.storage.kv.list()])
  expect(await kept()).toEqual([])
  expect(await videoRow(videoId)).toEqual(before)
})

import {
  createScheduledController,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import worker from '../../../worker/index.ts'
import { campaignAfter } from '../../support/node/campaign-after.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { Attempt } from '../../support/worker/attempt.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { ringSlots } from '../../support/worker/dispatcher.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import {
  attemptRows,
  aVideo,
  eventRows,
  jobRow,
  objectKeys,
  videoRow,
  type Created,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()

let mendDatabase: () => void = () => undefined

type Scene = Created & { client: Client }

function attempts({ jobId }: Scene): Attempt[] {
  return media.current.offersOf(jobId).map(({ job }) => {
    const attempt = new Attempt(job)
    // Every report is newer than all before it.
    attempt.sequence = Math.floor(Date.now() / 1000)
    return attempt
  })
}

async function tick(seconds: number): Promise<void> {
  advanceSeconds(seconds)
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
}

async function expire({ jobId }: Scene): Promise<void> {
  advanceSeconds(61)
  await runDurableObjectAlarm(jobRunner(bindings, jobId))
}

async function deliverAll({ jobId }: Scene): Promise<void> {
  // Only the messages that exist now, because a waiting job sends another one each time.
  const waiting = queue.current.sentFor(jobId).length
  for (let i = 0; i < waiting; i++) await queue.current.deliverNext(jobId)
}

async function succeed(attempt: Attempt | undefined): Promise<void> {
  if (!attempt || (await attempt.askForUpload('final', 1)).status !== 200) return
  await attempt.succeed([await attempt.upload('final', `made at fence ${attempt.job.fence}`)])
}

/** Everything that can happen to a job, in any order and any number of times. */
const steps: Record<string, (scene: Scene) => unknown> = {
  deliver: deliverAll,
  deliverTwice: async ({ jobId }) => {
    const message = { kind: 'dispatch', jobId }
    await Promise.all([deliver(message), deliver(message)])
  },
  loseMessages: () => (queue.current.sent.length = 0),
  busy: () => (media.current.takeJob = () => new Response(null, { status: 503 })),
  free: () => (media.current.takeJob = () => new Response(null, { status: 202 })),
  progress: async (scene) => attempts(scene).at(-1)?.progress(50),
  succeed: async (scene) => succeed(attempts(scene).at(-1)),
  succeedLate: async (scene) => succeed(attempts(scene)[0]),
  fail: async (scene) => attempts(scene).at(-1)?.fail(),
  release: async (scene) => attempts(scene).at(-1)?.release(),
  expire,
  forget: async ({ jobId }) =>
    runInDurableObject(jobRunner(bindings, jobId), (_, state) => state.storage.deleteAll()),
  sweep: async () => tick(120),
  cancel: async ({ client, videoId }) => client.post(`/v1/videos/${videoId}/cancel`),
  failNextBatch: () => {
    const batch = vi.spyOn(prototypeOf(bindings.DB), 'batch')
    mendDatabase = () => batch.mockRestore()
    batch.mockImplementationOnce(async () => {
      batch.mockRestore()
      throw new Error('D1_ERROR: the database is overloaded')
    })
  },
}

/** A fault of D1 reaches the caller, but does not end the job. */
async function take(step: string, scene: Scene): Promise<void> {
  try {
    await steps[step]?.(scene)
  } catch (error) {
    expect(String(error)).toContain('Storage did not answer')
  }
}

async function untilEnded(scene: Scene): Promise<void> {
  mendDatabase()
  await take('free', scene)
  for (let round = 0; round < 12; round++) {
    if (isTerminal((await videoRow(scene.videoId))?.status ?? 'queued')) return
    await take('deliver', scene)
    await take('expire', scene)
    await tick(900)
    await ringSlots()
  }
}

describe('a job, whatever happens to it', () => {
  for (const [i, numRuns] of [4, 15].entries()) {
    const title = `reaches one end, sends one event, and leaves nothing open: ${numRuns} orders of events`
    it(title, { tags: campaignAfter(1, i) }, async () => expectOneEnd(numRuns))
  }

  async function expectOneEnd(numRuns: number): Promise<void> {
    const client = await aClient()
    const happenings = fc.array(fc.constantFrom(...Object.keys(steps)), { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(happenings, async (names) => {
        const request = { webhookUrl: 'https://hooks.example.com/' }
        const scene = { client, ...(await aVideo(client, request)) }
        for (const name of names) await take(name, scene)
        await untilEnded(scene)

        const video = await videoRow(scene.videoId)
        expect(isTerminal(video?.status ?? 'queued')).toBe(true)
        const events = await eventRows(scene.videoId)
        expect(events).toMatchObject([{ type: `video.${video?.status}` }])
        expect(events[0]?.id).toBe(video?.terminalEventId)
        expect((await jobRow(scene.jobId))?.finishedAt).toBe(video?.finishedAt)
        const rows = await attemptRows(scene.jobId)
        expect(rows.filter(({ outcome }) => outcome === null)).toEqual([])
        const result = video?.result?.outputs.final?.key
        expect(result !== undefined).toBe(video?.status === 'succeeded')
        if (result) expect(await objectKeys(scene.videoId)).toContain(result)
      }),
      { numRuns, seed: 20261121 },
    )
  }
})

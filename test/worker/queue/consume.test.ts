import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { ringSlots } from '../../support/worker/dispatcher.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  aVideo,
  jobRow,
  start,
  videoRow,
} from '../../support/worker/videos.ts'
import { eventually } from '../../support/node/eventually.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { taken } from '../../support/worker/media-workers.ts'

const { media, queue } = standInForAll()

const acknowledged = { acknowledged: true, retried: false }

function breakDatabase() {
  return vi.spyOn(prototypeOf(bindings.DB), 'prepare').mockImplementation(() => {
    throw new Error('D1_ERROR: the database is overloaded')
  })
}

describe('consumeJobs', () => {
  it('treats a refusal, an error and a broken connection as no capacity', async () => {
    const { videoId, jobId } = await aVideo()
    media.current.takeJob = () => Response.json({ error: 'version' }, { status: 400 })
    expect(await queue.current.deliverNext(jobId)).toEqual(acknowledged)
    const answers = [
      () => new Response('oops', { status: 500 }),
      () => {
        throw new TypeError('connection refused')
      },
      () => new Response(null, { status: 202 }),
    ]
    for (const answer of answers) {
      expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
      media.current.takeJob = answer
      advanceSeconds(16)
      await ringSlots()
    }
    expect(await jobRow(jobId)).toMatchObject({ attempts: 1 })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })

  it('acknowledges a message for a job that is held, and offers nothing', async () => {
    const { jobId } = await aRunningVideo()
    expect(await deliver({ kind: 'dispatch', jobId, chain: 0, waits: 0 })).toEqual(acknowledged)
    expect(media.current.offersOf(jobId)).toHaveLength(1)
  })

  it('leaves an unreadable message for another version, as often as the queue tries', async () => {
    const retried = { acknowledged: false, retried: true }
    expect(await deliver({ kind: 'dance' })).toEqual(retried)
    expect(await deliver('not an object')).toEqual(retried)
    expect(await deliver({ kind: 'dance' }, 'spool-jobs-dlq')).toEqual(acknowledged)
    expect(await deliver({ kind: 'dispatch', jobId: 'j_ok', chain: 0, more: 1 })).toEqual(
      acknowledged,
    )
  })

  it('retries and recovers when a worker took the job but D1 did not record it', async () => {
    const { videoId, jobId } = await aVideo()
    let broken = { mockRestore() {} }
    media.current.takeJob = () => {
      broken = breakDatabase()
      return taken()
    }
    const first = await queue.current.deliverNext(jobId)
    broken.mockRestore()
    expect(first).toEqual({ acknowledged: false, retried: true })
    media.current.takeJob = taken
    await deliver({ kind: 'dispatch', jobId, chain: 0 })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    // The second claim outdates the start of the first, which may still be written.
    expect(await jobRow(jobId)).toMatchObject({ fence: 3, attempts: 1 })
  })

  it('is called by the real queue', async () => {
    queue.current.letThrough()
    const { videoId, jobId } = await aVideo()
    await eventually(() => expect(media.current.offersOf(jobId)).toHaveLength(1))
    await eventually(async () =>
      expect(await videoRow(videoId)).toMatchObject({ status: 'running' }),
    )
  })
})

describe('consumeDeadJobs', () => {
  const dead = 'spool-jobs-dlq'

  it('sends a job that has attempts left once more, later', async () => {
    const { videoId, jobId } = await aVideo()
    queue.current.sent.length = 0
    expect(await deliver({ kind: 'dispatch', jobId, chain: 0 }, dead)).toEqual(acknowledged)
    expect(queue.current.sentFor(jobId)).toMatchObject([{ delaySeconds: 60 }])
    expect(await jobRow(jobId)).toMatchObject({ deadLetteredAt: Date.now() })
    await start({ videoId, jobId })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
  })

  it('leaves a job alone that is held or has ended', async () => {
    const client = await aClient()
    const held = await aRunningVideo(client)
    const ended = await aFinishedVideo(client)
    queue.current.sent.length = 0
    expect(await deliver({ kind: 'dispatch', jobId: held.jobId, chain: 0 }, dead)).toEqual(
      acknowledged,
    )
    expect(await deliver({ kind: 'dispatch', jobId: ended.jobId, chain: 0 }, dead)).toEqual(
      acknowledged,
    )
    expect(await deliver({ unreadable: true }, dead)).toEqual(acknowledged)
    expect(queue.current.sent).toEqual([])
    expect(await videoRow(held.videoId)).toMatchObject({ status: 'running' })
  })

  it('comes back for a dead letter that it could not deal with', async () => {
    const { jobId } = await aVideo()
    const broken = breakDatabase()
    const outcome = await deliver({ kind: 'dispatch', jobId, chain: 0 }, dead)
    broken.mockRestore()
    expect(outcome).toEqual({ acknowledged: false, retried: true })
  })

  it('fails a job whose attempts are used up', async () => {
    const { videoId, jobId } = await aVideo()
    await bindings.DB.prepare('UPDATE jobs SET attempts = 3 WHERE id = ?').bind(jobId).run()
    queue.current.sent.length = 0
    await deliver({ kind: 'dispatch', jobId, chain: 0 }, dead)
    await queue.current.deliverNext(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'failed' })
  })
})

import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { JobRunner, jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { withProgress } from '../../../../worker/durable/job/ask-progress.ts'
import { endJob } from '../../../../worker/service/jobs/end-job.ts'
import { findJob } from '../../../../worker/store/jobs/jobs.ts'
import { saveProgress } from '../../../../worker/store/videos/transitions.ts'
import { findVideo } from '../../../../worker/store/videos/videos.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { Attempt } from '../../../support/worker/attempt.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { deliver } from '../../../support/worker/job-queue.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import { hooksUrl } from '../../../support/worker/webhooks.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { anOwner } from '../../../support/worker/dashboard/visitor.ts'
import {
  aRunningVideo,
  attemptRows,
  aVideo,
  eventRows,
  start,
  videoRow,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media } = standInForAll()

async function shownOf(client: Client, videoId: string) {
  const { json } = await client.get(`/v1/videos/${videoId}`)
  return { status: json['status'], percent: json['progressPercent'], phase: json['phase'] }
}

describe('progress that only the object of a job has', () => {
  it('is in every read: record, list, job and dashboard', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    await attempt.progress(10)
    await attempt.progress(47.5)
    const shown = { progressPercent: 47, phase: 'rendering' }
    expect(await client.record(videoId)).toMatchObject(shown)
    expect((await client.get('/v1/videos')).json['data']).toMatchObject([shown])
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject(shown)
    expect((await client.get(`/v1/jobs?videoId=${videoId}`)).json['data']).toMatchObject([shown])
    expect((await client.patch(`/v1/videos/${videoId}`, { videoName: 'x' })).json).toMatchObject(
      shown,
    )
    const owner = await anOwner(client.accountId)
    for (const page of ['/app/videos', `/app/videos/${videoId}`]) {
      expect((await owner.get(page)).text).toMatch(/\b47 %/)
    }
    expect(await videoRow(videoId)).toMatchObject({ progressPercent: 10 })
  })

  it('is told alike by row and event, because an ending that knows less of it comes too late', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo(undefined, {
      webhookUrl: hooksUrl,
    })
    await attempt.progress(10)
    const found = await findJob(bindings.DB, jobId)
    if (!found) throw new Error('the job is gone')
    const claim = { jobId, videoId, fence: found.job.fence }
    const later = { phase: 'rendering', percent: 21, insights: {}, now: Date.now() } as const
    await saveProgress(bindings.DB, claim, later)
    expect(await endJob(bindings, found, claim, { to: 'canceled' })).toBe(false)
    expect(await attemptRows(jobId)).toMatchObject([{ outcome: null }])
    expect(await videoRow(videoId)).toMatchObject({ status: 'running', progressPercent: 21 })

    await client.post(`/v1/videos/${videoId}/cancel`)
    expect(await videoRow(videoId)).toMatchObject({ status: 'canceled', progressPercent: 21 })
    const [event] = await eventRows(videoId)
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { progressPercent: 21 } })
  })

  it('does not wake the objects of videos that wait or have ended', async () => {
    const { client, videoId, jobId } = await aVideo()
    await shownOf(client, videoId)
    const asked = vi.spyOn(JobRunner.prototype, 'progress')
    expect(await shownOf(client, videoId)).toMatchObject({ status: 'queued' })
    expect(asked).not.toHaveBeenCalled()
    const { attempt } = await start({ videoId, jobId })
    await attempt.progress(10)
    await attempt.progress(20)
    expect(await shownOf(client, videoId)).toMatchObject({ percent: 20 })
    await client.post(`/v1/videos/${videoId}/cancel`)
    await shownOf(client, videoId)
    asked.mockClear()
    expect(await shownOf(client, videoId)).toMatchObject({ status: 'canceled', percent: 20 })
    expect(asked).not.toHaveBeenCalled()
  })

  it('is found too if the job has another id than the secret gives it now', async () => {
    const { client, videoId } = await aVideo()
    const jobId = 'j_0123456789abcdef'
    await bindings.DB.prepare('UPDATE jobs SET id = ? WHERE video_id = ?')
      .bind(jobId, videoId)
      .run()
    await deliver({ kind: 'dispatch', jobId, chain: 0 })
    const attempt = new Attempt(media.current.lastJob(jobId))
    await attempt.progress(10)
    await attempt.progress(20)
    expect(await shownOf(client, videoId)).toMatchObject({ percent: 20 })
  })

  it('survives the end of the object, which then asks D1 once whether the attempt still counts', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    await attempt.progress(10)
    await attempt.progress(55)
    await evictDurableObject(jobRunner(bindings, jobId))
    expect(await shownOf(client, videoId)).toMatchObject({ percent: 55 })
    const log = recordStatements()
    await attempt.progress(56)
    await attempt.progress(57)
    expect(log.calls).toBe(1)
    await evictDurableObject(jobRunner(bindings, jobId))
    await bindings.DB.prepare("UPDATE videos SET status = 'queued' WHERE id = ?")
      .bind(videoId)
      .run()
    expect((await attempt.progress(58)).json).toEqual({ action: 'stop' })
  })

  it('does not go back when the attempt is over, and is in the end of a video that failed', async () => {
    const client = await aClient()
    const wishes = { enableTranscription: true, enableAiAnalysis: true }
    const { videoId, attempt } = await aRunningVideo(client, wishes)
    await attempt.progress(10)
    const transcript = { status: 'processing', progress: 33 }
    await attempt.progress(70, 'rendering', { transcript })
    await attempt.release()
    const released = await client.record(videoId)
    expect(released).toMatchObject({
      status: 'queued',
      progressPercent: 70,
      transcript: { status: 'pending', progress: 33 },
    })
    await client.post(`/v1/videos/${videoId}/cancel`)
    expect(await shownOf(client, videoId)).toMatchObject({ status: 'canceled', percent: 70 })
  })

  it('is read again if the attempt ended after the row was read', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(90)
    const find = async () => findVideo(bindings.DB, client.accountId, videoId)
    const early = await find()
    await attempt.finish()
    const row = early && (await withProgress(bindings, early, find))
    expect(row).toMatchObject({ status: 'succeeded', progressPercent: 100 })
  })

  it('is left as it was last written if the object does not answer', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(10)
    await attempt.progress(90)
    const log = recordLog()
    vi.spyOn(JobRunner.prototype, 'progress').mockImplementation(() => {
      throw new Error('no answer')
    })
    expect(await shownOf(client, videoId)).toMatchObject({ status: 'running', percent: 10 })
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ event: 'a job did not tell its progress' }),
    )
  })
})

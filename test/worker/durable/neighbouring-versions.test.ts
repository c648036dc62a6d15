import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { mediaJob } from '../../../worker/contract/job/media-job.ts'
import { parseInput } from '../../../worker/contract/input/parse-input.ts'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import type { RunState } from '../../../worker/durable/job/job-memory.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { Attempt, aTrace, finalText } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { takeUndocumented } from '../../support/worker/documented.ts'
import { deliver } from '../../support/worker/job-queue.ts'
import { healthAnswer } from '../../support/worker/media-workers.ts'
import {
  aFinishedVideo,
  aRunningVideo,
  attemptRows,
  aVideo,
  jobRow,
  videoRow,
} from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

/**
 * During a rollout and after a rollback, a service meets media workers, rows, reports and messages of the version next to
 * it. What is to be done stays strict, because half of a job would look like success: what does not understand it leaves it
 * for another. What was done is taken as far as it is understood.
 */

const { media } = standInForAll()

const dispatch = async (jobId: string) =>
  deliver({ kind: 'dispatch', jobId, chain: (await jobRow(jobId))?.chain ?? 0 })

/** The request of this video with an option that a later version knows. */
async function addOption(videoId: string): Promise<void> {
  const change = "UPDATE videos SET request = json_set(request, '$.mirror', 'left') WHERE id = ?"
  await bindings.DB.prepare(change).bind(videoId).run()
}

describe('a job that a later version has stored before a rollback', { tags: 'campaign' }, () => {
  it('waits for that version to come back, and then succeeds', async () => {
    const { videoId, jobId } = await aVideo()
    const { request } = (await videoRow(videoId)) ?? {}
    await addOption(videoId)
    await dispatch(jobId)
    advanceSeconds(1800)
    await dispatch(jobId)
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(media.current.offersOf(jobId)).toHaveLength(0)
    await bindings.DB.prepare('UPDATE videos SET request = ? WHERE id = ?')
      .bind(JSON.stringify(request), videoId)
      .run()
    await dispatch(jobId)
    const attempt = new Attempt(media.current.lastJob(jobId))
    await attempt.finish()
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('fails with a clear message after 30 minutes, and is shown as requested until then', async () => {
    const { client, videoId, jobId } = await aVideo()
    await addOption(videoId)
    await dispatch(jobId)
    expect(await client.record(videoId)).toMatchObject({ status: 'queued' })
    advanceSeconds(1801)
    await dispatch(jobId)
    expect(await client.record(videoId)).toMatchObject({
      status: 'failed',
      mirror: 'left',
      errorMessage:
        'The stored job could not be understood for 30 minutes; another version of the service may have written it.',
    })
    expect(await jobRow(jobId)).toMatchObject({ attempts: 0, error: { reason: 'internal' } })
    // The description of this version does not know the option.
    expect(takeUndocumented().join()).toContain('mirror')
  })

  it('continues after that version has begun it, with an unknown phase and unknown fields in every state', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    const change = "UPDATE videos SET phase = 'dreaming' WHERE id = ?"
    await bindings.DB.prepare(change).bind(videoId).run()
    const runner = jobRunner(bindings, jobId)
    await runInDurableObject(runner, (_, { storage }) => {
      const state = storage.kv.get<RunState>('run')
      const running = { ...state?.running, phase: 'dreaming', dreams: 3, slotFree: true }
      storage.kv.put('run', { ...state, running, mood: 'good' })
    })
    await evictDurableObject(runner)
    const shown = await client.record(videoId)
    expect(shown).toMatchObject({ status: 'running' })
    expect(shown).not.toHaveProperty('phase')
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject({ phase: null })
    expect((await attempt.progress(40)).json).toEqual({ action: 'carry-on' })
    expect(await videoRow(videoId)).toMatchObject({ phase: 'rendering', progressPercent: 40 })
    await attempt.finish()
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('may have additional columns in every table, which are left as they are', async () => {
    const tables = ['videos', 'jobs', 'job_attempts', 'webhook_events', 'webhook_deliveries']
    for (const table of tables) {
      await bindings.DB.exec(`ALTER TABLE ${table} ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'`)
    }
    const webhookUrl = 'https://hooks.example.com/spool'
    const { videoId } = await aFinishedVideo(undefined, { webhookUrl })
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
    for (const table of tables) {
      const { results } = await bindings.DB.prepare(`SELECT mood FROM ${table}`).all()
      expect(results[0], table).toEqual({ mood: 'good' })
    }
  })
})

describe('a report of a later version', () => {
  it('is used as far as this version understands it', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo(undefined, {
      enableTranscription: true,
    })
    const dream = { phase: 'dreaming', dreams: 3, transcript: { status: 'dreamt', depth: 1 } }
    const answer = await attempt.progress(30, 'rendering', dream)
    expect(answer.json).toEqual({ action: 'carry-on' })
    expect(await videoRow(videoId)).toMatchObject({ status: 'running', phase: 'fetching' })

    const startedAt = new Date().toISOString()
    const dreaming = { name: 'dreaming', startedAt, durationMs: 1, depth: 2 }
    const trace = { ...aTrace, phases: [dreaming, ...aTrace.phases], mood: 'good' }
    const failure = { reason: 'bad_dream', message: 'It dreamt badly.', retryable: false, mood: 1 }
    expect((await attempt.fail({ ...failure, trace })).json).toEqual({ action: 'stop' })
    expect(await jobRow(jobId)).toMatchObject({
      error: { reason: 'internal', message: 'It dreamt badly.' },
    })
    expect((await attemptRows(jobId))[0]?.trace?.phases).toEqual(aTrace.phases)
  })

  it('ends a video with the part of the result that this version knows', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const written = await attempt.upload('final', finalText)
    const answer = await attempt.succeed([written], {
      mood: 'good',
      transcript: { status: 'dreamt' },
    })
    expect(answer.json).toEqual({ action: 'stop' })
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a media worker of another version', () => {
  it('refuses a job with anything that it does not know, and names it', async () => {
    const { attempt } = await aRunningVideo()
    const { job } = attempt
    expect(parseInput(mediaJob, job)).toMatchObject({ ok: true })
    for (const [change, field] of [
      [{ mood: 'good' }, 'mood'],
      [{ version: 2 }, 'version'],
      [{ options: { ...job.options, mirror: 'left' } }, 'options.mirror'],
    ] as const) {
      const read = parseInput(mediaJob, { ...job, ...change })
      expect(read).toMatchObject({ ok: false, faults: [{ field }] })
    }
  })

  it('is healthy', async () => {
    for (const version of [1, 2]) {
      advanceSeconds(11)
      media.current.answerHealth = () => healthAnswer({ version, dreams: 3 })
      expect((await (await aClient()).get('/health')).status, `${version}`).toBe(200)
    }
  })
})

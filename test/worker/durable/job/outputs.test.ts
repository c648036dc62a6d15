import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aRunningVideo,
  aTranscribedVideo,
  videoRow,
  eventRows,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { finalText } from '../../../support/worker/attempt.ts'

standInForAll()

/** The bucket refuses to complete uploads, as often as it is told. */
function stumble(times: number): void {
  const prototype = prototypeOf(bindings.BUCKET.resumeMultipartUpload('none', 'none'))
  const complete = vi.spyOn(prototype, 'complete')
  for (let i = 0; i < times; i++) {
    complete.mockRejectedValueOnce(new Error('We encountered an internal error. (10001)'))
  }
}

describe('a finished render', () => {
  it('survives a bucket that fails once', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const written = [await attempt.upload('final', finalText)]
    stumble(1)
    expect((await attempt.succeed(written)).status).toBe(200)
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('is reported again while the bucket is down for longer than its lease', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const written = [await attempt.upload('final', finalText)]
    stumble(9)
    for (let i = 0; i < 3; i++) {
      advanceSeconds(40)
      expect((await attempt.succeed(written)).status).toBeGreaterThanOrEqual(500)
      expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    }
    expect((await attempt.succeed(written)).status).toBe(200)
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('keeps its transcript if the bucket fails once for that', async () => {
    stumble(2)
    const { videoId } = await aTranscribedVideo()
    const kept = Object.keys((await videoRow(videoId))?.result?.outputs ?? {})
    expect(kept.filter((kind) => kind.startsWith('transcript'))).toHaveLength(4)
  })
})

describe('a video that fails its checks', () => {
  const message = 'Its picture lasts 1 s; 2 s were planned.'
  const fault = { name: 'length', result: 'failed', message, still: 'check-1' }
  const failure = { reason: 'check_failed', message: `length: ${message}`, retryable: false }
  const checks = [fault, { name: 'size', result: 'passed', message: 'As planned.' }]

  it('shows its owner what was found, with a still, until it is deleted', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    const outputs = [await attempt.upload('check-1', 'a still')]
    expect((await attempt.fail({ ...failure, checks, outputs })).status).toBe(200)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const shown = { name: 'length', result: 'failed', message }
    expect(json).toMatchObject({ status: 'failed', checked: 'failed', checks: [shown, checks[1]] })
    expect(json).toMatchObject({ warnings: [] })
    expect(json).not.toHaveProperty('finalVideoUrl')
    const { checks: told } = json as { checks: { stillUrl: string }[] }
    const { pathname, search } = new URL(told[0]?.stillUrl ?? '')
    const still = await send(pathname + search)
    expect([still.status, still.text]).toEqual([200, 'a still'])
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect((await bindings.BUCKET.list({ prefix: `videos/${videoId}` })).objects).toEqual([])
    expect((await send(pathname + search)).status).toBe(404)
  })

  it('shows what was found also if its stills cannot be stored', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    const outputs = [await attempt.upload('check-1', 'a still')]
    stumble(9)
    expect((await attempt.fail({ ...failure, checks, outputs })).status).toBe(200)
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'failed', checks: [{ name: 'length' }, { name: 'size' }] })
    expect(JSON.stringify(json)).not.toContain('stillUrl')
  })
})

describe('a deleted video', () => {
  it('leaves nothing of what was heard and seen in its stored events', async () => {
    const client = await aClient()
    const data = {
      tags: ['secret-tag'],
      summary: 'A secret summary.',
      estimatedLocation: 'unknown',
    }
    const { videoId } = await aTranscribedVideo(client, {
      request: { webhookUrl: 'https://hooks.example.com/', enableAiAnalysis: true },
      analysis: { status: 'completed', data },
    })
    expect((await eventRows(videoId))[0]?.body).toMatch(/Goodbye[^]*secret summary/)
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    const [event] = await eventRows(videoId)
    expect(event?.body).toContain(videoId)
    expect(event?.body).not.toMatch(/Goodbye|secret/)
  })

  it('leaves neither the titles of clips and chapters there, nor what was suggested to cut', async () => {
    const webhookUrl = 'https://hooks.example.com/'
    const request = { webhookUrl, outputs: [{ name: 'web' }, { name: 'phone' }] }
    const { client, videoId, attempt } = await aRunningVideo(undefined, request)
    const span = { startTime: 1, endTime: 2 }
    const kinds = ['output-web', 'output-phone'] as const
    const named = kinds.map((kind, i) => ({
      ...{ name: kind.slice(7), kind, format: 'mp4', warnings: [] },
      ...(i === 1 && { title: 'A secret clip', clip: span }),
    }))
    const written = []
    for (const kind of kinds) written.push(await attempt.upload(kind, finalText))
    const answer = await attempt.succeed(written, {
      named,
      suggestions: [{ ...span, why: 'filler', text: 'secret um' }],
      moments: {
        clips: [{ ...span, title: 'A secret sentence', score: 1, reasons: ['secret'] }],
        chapters: [{ startTime: 0, title: 'Secret chapter' }],
      },
    })
    expect(answer.status, answer.text).toBe(200)
    expect((await eventRows(videoId))[0]?.body).toMatch(/A secret clip/)
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    const [event] = await eventRows(videoId)
    expect(event?.body).toContain('"name":"phone"')
    expect(event?.body).not.toMatch(/secret/i)
  })
})

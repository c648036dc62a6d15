import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createVideo,
  ended,
  jsonOf,
  readVideo,
  untilStatus,
  type Json,
} from '../support/node/api.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import type { RunningService } from '../support/node/service.ts'
import { clipsForAll, sharedService } from '../support/node/shared-service.ts'
import { validBody } from '../support/node/valid-body.ts'
import { seeded } from '../support/node/seeded.ts'

const run = promisify(execFile)

const clips = clipsForAll()
let service: RunningService
let clipUrl: string

beforeAll(async () => {
  clipUrl = clips.serve('My%20talk.mp4', await makeVideo({ seconds: 2 }))
  service = await sharedService()
})

async function probe(url: unknown, extension: string): Promise<Json> {
  const response = await fetch(String(url))
  expect(response.status).toBe(200)
  const file = path.join(tmpdir(), `spool-probed-${crypto.randomUUID()}.${extension}`)
  await writeFile(file, new Uint8Array(await response.arrayBuffer()))
  const asked = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file]
  const { stdout } = await run('ffprobe', asked)
  await rm(file)
  return JSON.parse(stdout) as Json
}

describe('a first video', () => {
  it('goes from a URL to a finished file whose link works', async () => {
    const { videoId, jobId } = await createVideo(service, { fileUrl: clipUrl })
    const record = await untilStatus(service, videoId, ended)
    expect(record).toMatchObject({
      videoId,
      videoName: 'My talk',
      status: 'succeeded',
      progressPercent: 100,
      hasTranscript: false,
      fileUrl: clipUrl,
      outputFormat: 'mp4',
      analysis: { status: 'not_requested' },
      warnings: [],
      videoMetadata: { width: 160, height: 120, fps: 25 },
    })
    const probed = (await probe(record['finalVideoUrl'], 'mp4')) as { streams: Json[] }
    expect(probed.streams.map((stream) => stream['codec_name'])).toEqual(['h264', 'aac'])

    const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
    expect(job).toMatchObject({ jobId, videoId, status: 'succeeded', error: null })
    const [attempt] = job['attempts'] as { attempt: number; outcome: string; phases: Json[] }[]
    expect(attempt).toMatchObject({ attempt: 1, outcome: 'succeeded' })
    expect(attempt?.phases.map((phase) => phase['name'])).toEqual([
      'fetching',
      'measuring',
      'rendering',
      'uploading',
    ])
  })

  it('fails with a clear reason when its source cannot be fetched', async () => {
    const { videoId, jobId } = await createVideo(service, {
      fileUrl: `${clips.origin}/nothing.mp4`,
    })
    const record = await untilStatus(service, videoId, ended)
    expect(record).toMatchObject({ status: 'failed' })
    expect(record['errorMessage']).toContain('404')
    expect(record).not.toHaveProperty('finalVideoUrl')
    const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
    expect(job['error']).toMatchObject({ error: 'ProcessingError', reason: 'source_unreachable' })
  })

  it('can be the source of the next one, through its link', async () => {
    const first = await createVideo(service, { fileUrl: clipUrl })
    const { finalVideoUrl } = await untilStatus(service, first.videoId, ended)
    const second = await createVideo(service, { fileUrl: finalVideoUrl })
    expect(await untilStatus(service, second.videoId, ended)).toMatchObject({ status: 'succeeded' })
  })

  it('stops within seconds when canceled while it runs', async () => {
    const long = clips.serve('long.mp4', await makeVideo({ seconds: 20, size: '640x360' }))
    const { videoId } = await createVideo(service, { fileUrl: long, outputFormat: 'webm' })
    await untilStatus(service, videoId, ['running'])
    const canceled = await service.request(`/v1/videos/${videoId}/cancel`, { method: 'POST' })
    expect(canceled.status).toBe(200)
    expect(await jsonOf(canceled)).toMatchObject({ videoId, status: 'canceled' })
    const again = await service.request(`/v1/videos/${videoId}/cancel`, { method: 'POST' })
    expect(again.status).toBe(200)
    // The media worker goes on with others.
    const next = await createVideo(service, { fileUrl: clipUrl })
    expect(await untilStatus(service, next.videoId, ended)).toMatchObject({ status: 'succeeded' })
    expect(await readVideo(service, videoId)).toMatchObject({ status: 'canceled' })
  })
})

it('a client that holds back its body until it is answered gets its answer', async () => {
  const headers = { Authorization: 'Bearer nobody', 'Content-Length': 100 }
  const asked = request(new URL('/v1/videos', service.dev.baseUrl), { method: 'POST', headers })
  asked.flushHeaders()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(401)
  asked.destroy()
})

describe('any valid body', () => {
  for (const [i, count] of [12, 40].entries()) {
    const title = `is accepted and, once terminal, echoed as it was sent: ${count} bodies`
    it(title, { tags: campaignAfter(1, i) }, async () => expectEchoed(count))
  }

  async function expectEchoed(count: number): Promise<void> {
    const bodies = fc.sample(
      validBody({ sourceUrl: `${clips.origin}/gone.mp4`, mediaUrl: clipUrl, filesToo: true }),
      seeded(count),
    )
    const created = await Promise.all(bodies.map((body) => createVideo(service, body)))
    for (const [i, { videoId }] of created.entries()) {
      const record = await untilStatus(service, videoId, ended)
      const echo = Object.fromEntries(Object.keys(bodies[i] ?? {}).map((key) => [key, record[key]]))
      expect(echo).toEqual(bodies[i])
    }
  }
})

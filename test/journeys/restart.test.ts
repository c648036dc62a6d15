import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, jsonOf, untilStatus } from '../support/node/api.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { poll } from '../support/node/poll.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'

const settings = { RATE_LIMITS: '1000/3600', LEASE_SECONDS: '3' }

let clips: ClipServer
let place: Place
let service: RunningService
let small: string
let long: string

beforeAll(async () => {
  clips = await ClipServer.start()
  small = clips.serve('small.mp4', await makeVideo({ seconds: 1 }))
  long = clips.serve('long.mp4', await makeVideo({ seconds: 8, size: '640x360' }))
  place = await aPlace()
  service = await RunningService.start(place, settings)
})

afterAll(async () => {
  await service.stop()
  await clips.close()
  await removePlace(place)
})

async function isAlive(pid: number): Promise<boolean> {
  try {
    // A zombie is dead; its parent has only not reaped it yet.
    return !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').flatMap((number) => (number === '' ? [] : [Number(number)]))
}

async function untilHealthy(): Promise<void> {
  await poll('health', async () => {
    const response = await fetch(`${service.dev.baseUrl}/health`).catch(() => undefined)
    return response?.ok ? response : undefined
  })
}

async function remaining(): Promise<number> {
  const response = await service.request('/v1/videos')
  return Number(response.headers.get('X-RateLimit-Remaining'))
}

describe('the service on one machine', () => {
  it('describes itself in dev.json, with exactly these fields', () => {
    expect(Object.keys(service.dev).sort()).toEqual([
      'apiKey',
      'baseUrl',
      'dashboardUrl',
      'mediaWorkers',
      'pid',
      'webhookSecret',
      'workerPid',
    ])
    expect(service.dev).toMatchObject({
      baseUrl: `http://127.0.0.1:${place.port}`,
      dashboardUrl: `${service.dev.baseUrl}/app`,
      mediaWorkers: [{ pid: expect.any(Number) as number, url: expect.any(String) as string }],
    })
    expect(service.dev.apiKey).toMatch(/^spool_[0-9A-Za-z]{32}$/)
    expect(service.dev.webhookSecret).toMatch(/^whsec_/)
  })

  it('starts a killed media worker again, and its job still succeeds', async () => {
    const { videoId, jobId } = await createVideo(service, { fileUrl: long, compressionQuality: 30 })
    await untilStatus(service, videoId, ['running'])
    const killed = service.dev.mediaWorkers[0]?.pid ?? 0
    process.kill(killed, 'SIGKILL')
    expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
    const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
    expect(job['attempts']).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }])
    const dev = await service.refreshDevFile()
    expect(dev.mediaWorkers[0]?.pid).not.toBe(killed)
  })

  it('starts a killed API again on the same port', async () => {
    const killed = service.dev.workerPid
    process.kill(-killed, 'SIGKILL')
    const dev = await poll('another workerPid', async () => {
      const now = await service.refreshDevFile()
      return now.workerPid !== killed && now.workerPid !== 0 ? now : undefined
    })
    expect(dev.baseUrl).toBe(service.dev.baseUrl)
    await untilHealthy()
  })

  it('starts a killed runtime again inside its host, and a job that was under way ends', async () => {
    const { videoId } = await createVideo(service, { fileUrl: long, compressionQuality: 30 })
    await untilStatus(service, videoId, ['running'])
    const { workerPid } = service.dev
    const [runtime = 0] = await childrenOf(workerPid)
    process.kill(runtime, 'SIGKILL')
    await untilHealthy()
    expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
    expect((await service.refreshDevFile()).workerPid).toBe(workerPid)
    expect(await childrenOf(workerPid)).not.toContain(runtime)
  })

  it('keeps keys, windows, videos and unfinished jobs when it is stopped and started', async () => {
    const done = await createVideo(service, { fileUrl: small })
    const record = await untilStatus(service, done.videoId, ended)
    const before = await remaining()
    const { apiKey } = service.dev
    const unfinished = await createVideo(service, { fileUrl: long, compressionQuality: 30 })

    const { pid, workerPid, mediaWorkers } = service.dev
    expect(await service.stop()).toBe(0)
    for (const gone of [pid, workerPid, mediaWorkers[0]?.pid ?? 0]) {
      expect(await isAlive(gone)).toBe(false)
    }
    service = await RunningService.start(place, settings)

    expect(service.dev.apiKey).toBe(apiKey)
    // The create and this read.
    expect(await remaining()).toBe(before - 2)
    const again = await jsonOf(await service.request(`/v1/videos/${done.videoId}`))
    expect(again).toMatchObject({ status: 'succeeded', videoMetadata: record['videoMetadata'] })
    expect(await untilStatus(service, unfinished.videoId, ended)).toMatchObject({
      status: 'succeeded',
    })
  })
})

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, jsonOf, untilStatus, type Json } from '../support/node/api.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { freePort } from '../support/node/free-port.ts'
import { HookReceiver } from '../support/node/hook-receiver.ts'
import { testCertificate } from '../support/node/tls/test-certificate.ts'
import { poll } from '../support/node/poll.ts'
import { uploadForm } from '../support/node/upload-form.ts'
import { startMediaWorker, token, type MediaWorker } from '../support/containers/media-worker.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'
import { clipsForAll } from '../support/node/shared-service.ts'
import { campaign } from '../support/node/campaign.ts'

const settings = {
  RATE_LIMITS: '1000/3600',
  LEASE_SECONDS: '6',
  WEBHOOK_SCHEDULE: '0,1,1,2,4,8,16,32,64',
}

const clips = clipsForAll()
let place: Place
let copyPlace: Place
let remote: { plain: MediaWorker; encrypted: MediaWorker }
const remotes: MediaWorker[] = []
let service: RunningService
let small: string
let long: string

beforeAll(async () => {
  small = clips.serve('small.mp4', await makeVideo({ seconds: 1 }))
  long = clips.serve('long.mp4', await makeVideo({ seconds: 5, size: '640x360' }))
  place = await aPlace()
  copyPlace = await aPlace()
  service = await RunningService.start(place, settings)
})

afterAll(async () => {
  await service.stop()
  await Promise.all(remotes.map(async (worker) => worker.stop()))
  await Promise.all([place, copyPlace].map(removePlace))
})

const encryption = {
  MEDIA_TLS_CERT: testCertificate.certificate,
  MEDIA_TLS_KEY: testCertificate.key,
}

/** A media worker as on another machine: the service did not start it, and each has another port. */
async function aRemote(env: Record<string, string>): Promise<MediaWorker> {
  const given = { MEDIA_WORKER_TOKEN: token, STOP_GRACE_SECONDS: '0.1', ...env }
  const worker = await startMediaWorker(given)
  remotes.push(worker)
  return worker
}

/** What an operator sets for media workers on other machines. */
function remoteSettings({ plain, encrypted }: typeof remote): Record<string, string> {
  return {
    MEDIA_WORKER_TOKEN: token,
    MEDIA_WORKER_URLS: [plain.origin, encrypted.origin.replace('http:', 'https:')].join(),
    NODE_EXTRA_CA_CERTS: testCertificate.authority,
    // Those who wait for videos ask ten times a second.
    RATE_LIMITS: '100000/3600',
  }
}

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

/** The media worker of a running job gets this signal, and another one does the job. Returns the process that was lost. */
async function loseMediaWorker(signal: NodeJS.Signals): Promise<number> {
  const { videoId, jobId } = await createVideo(service, { fileUrl: long, compressionQuality: 30 })
  await untilStatus(service, videoId, ['running'])
  const lost = service.dev.mediaWorkers[0]?.pid ?? 0
  process.kill(lost, signal)
  expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
  const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
  expect(job['attempts']).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }])
  const dev = await service.refreshDevFile()
  expect(dev.mediaWorkers[0]?.pid).not.toBe(lost)
  return lost
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
    await loseMediaWorker('SIGKILL')
  })

  campaign(
    'replaces a media worker that lives but answers nobody, and its job still succeeds',
    async () => {
      expect(await isAlive(await loseMediaWorker('SIGSTOP'))).toBe(false)
    },
  )

  campaign('starts a killed API again on the same port', async () => {
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

/** `npm run admin -- …` on a data directory. */
async function admin({ dataDir }: Place, ...args: string[]): Promise<Json> {
  const env = { ...process.env, BASE_URL: '', SPOOL_DATA_DIR: dataDir }
  const line = ['scripts/admin.ts', ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, line, { env })
  return JSON.parse(stdout) as Json
}

/** Ends the service and everything that it has started, without a chance to say good-bye. */
async function killAll(): Promise<void> {
  const { pid, workerPid, mediaWorkers } = await service.refreshDevFile()
  process.kill(pid, 'SIGKILL')
  for (const part of [workerPid, ...mediaWorkers.map((worker) => worker.pid)]) {
    process.kill(-part, 'SIGKILL')
  }
}

/** The deliveries of a video. */
async function deliveries(videoId: string): Promise<(Json & { attempts: Json[] })[]> {
  const answer = await service.request(`/v1/webhooks/deliveries?videoId=${videoId}`)
  return (await jsonOf(answer))['data'] as (Json & { attempts: Json[] })[]
}

async function bytesAt(link: unknown, baseUrl: string): Promise<Uint8Array> {
  const { pathname } = new URL(String(link))
  const response = await fetch(baseUrl + pathname)
  expect(response.status).toBe(200)
  return response.bytes()
}

describe('a backup of the running service', { tags: 'campaign' }, () => {
  it('goes on elsewhere when the original is gone: keys, links, videos, jobs, webhooks due', async () => {
    const port = await freePort()
    const webhookUrl = `http://127.0.0.1:${port}/hooks`
    const done = await createVideo(service, { fileUrl: small, webhookUrl })
    const record = await untilStatus(service, done.videoId, ended)
    const file = await bytesAt(record['finalVideoUrl'], service.dev.baseUrl)
    const due = await poll('an attempt in vain', async () => {
      const [delivery] = await deliveries(done.videoId)
      return delivery?.attempts[0] && delivery
    })
    const running = await createVideo(service, { fileUrl: long, compressionQuality: 30 })
    await untilStatus(service, running.videoId, ['running'])
    const waiting = await createVideo(service, { fileUrl: long, compressionQuality: 30 })

    const backups = path.join(copyPlace.dataDir, 'backups')
    const made = await admin(place, 'backup', backups)
    expect(made['counts']).toMatchObject({ unfinishedJobs: 2, pendingWebhooks: 1 })
    const later = await createVideo(service, { fileUrl: small })
    const { apiKey } = service.dev
    await killAll()
    const copy = { ...copyPlace, dataDir: path.join(copyPlace.dataDir, 'data') }
    await admin(copy, 'restore', backups)
    const [plain, encrypted] = await Promise.all([aRemote({}), aRemote(encryption)])
    remote = { plain, encrypted }
    service = await RunningService.start(copy, { ...settings, ...remoteSettings(remote) })
    const receiver = await HookReceiver.start(port)

    expect(service.dev.apiKey).toBe(apiKey)
    expect(await bytesAt(record['finalVideoUrl'], service.dev.baseUrl)).toEqual(file)
    for (const { videoId } of [running, waiting]) {
      expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
    }
    const job = await jsonOf(await service.request(`/v1/jobs/${running.jobId}`))
    expect(job['attempts']).toMatchObject([{ outcome: 'lost' }, { outcome: 'succeeded' }])
    const hook = await poll('the webhook', async () => receiver.received[0])
    await receiver.close()
    expect(hook.headers['webhook-id']).toBe(due['webhookId'])
    expect((await service.request(`/v1/videos/${later.videoId}`)).status).toBe(404)
  })
})

// On the service that the test before has started elsewhere.
describe('media workers on other machines', { tags: 'campaign' }, () => {
  it('take the jobs of one of them that has vanished', async () => {
    const file = new Uint8Array(await readFile(await makeVideo({ seconds: 6, size: '1280x720' })))
    const sent = [1, 2].map(async () => {
      const answer = await uploadForm(service, file, { compressionQuality: '30' })
      expect(answer?.status).toBe(202)
      return (await answer?.json()) as { videoId: string; jobId: string }
    })
    const videos = await Promise.all(sent)
    for (const { videoId } of videos) await untilStatus(service, videoId, ['running', ...ended])
    const killedAt = Date.now()
    process.kill(remote.plain.pid, 'SIGKILL')
    const outcomes = await Promise.all(
      videos.map(async ({ videoId, jobId }) => {
        const record = await untilStatus(service, videoId, ended)
        expect(record['status']).toBe('succeeded')
        const bytes = await bytesAt(record['finalVideoUrl'], service.dev.baseUrl)
        expect(bytes.length).toBe((record['videoMetadata'] as Json)['sizeInBytes'])
        const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
        return (job['attempts'] as Json[]).map(({ outcome, finishedAt }) => ({
          outcome,
          lateMs: Date.parse(String(finishedAt)) - killedAt,
        }))
      }),
    )
    const [lost, ...more] = outcomes.flat().filter(({ outcome }) => outcome === 'lost')
    expect(more).toEqual([])
    // The lease of six seconds, and what a busy machine needs to notice; a sweep would come after minutes.
    expect(lost?.lateMs).toBeLessThan(30_000)
  })

  it('hand their jobs back when they are told to stop, and none is lost', async () => {
    const { videoId, jobId } = await createVideo(service, {
      fileUrl: long,
      compressionQuality: 30,
    })
    await untilStatus(service, videoId, ['running'])
    const { port } = new URL(remote.encrypted.origin)
    remote.encrypted.kill('SIGTERM')
    expect(await remote.encrypted.exited).toBe(0)
    remote.encrypted = await aRemote({ ...encryption, MEDIA_PORT: port })
    expect(await untilStatus(service, videoId, ended)).toMatchObject({ status: 'succeeded' })
    const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
    expect(job['attempts']).toMatchObject([{ outcome: 'released' }, { outcome: 'succeeded' }])
  })
})

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createVideo,
  ended,
  jsonOf,
  readVideo,
  untilStatus,
  type Json,
} from '../support/node/api.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { freePort } from '../support/node/free-port.ts'
import { HookReceiver, type ReceivedHook } from '../support/node/hook-receiver.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import { poll } from '../support/node/poll.ts'
import { aPlace, removePlace, RunningService } from '../support/node/service.ts'
import { uploadForm } from '../support/node/upload-form.ts'

type Verify = (secret: string, headers: ReceivedHook['headers'], body: string) => unknown

let clips: ClipServer
let hooks: HookReceiver
let service: RunningService
let verify: Verify
let small: string
let medium: string
let long: string

beforeAll(async () => {
  clips = await ClipServer.start()
  hooks = await HookReceiver.start()
  small = clips.serve('small.mp4', await makeVideo({ seconds: 1 }))
  medium = clips.serve('medium.mp4', await makeVideo({ seconds: 8, size: '640x360' }))
  long = clips.serve('long.mp4', await makeVideo({ seconds: 20, size: '640x360' }))
  service = await RunningService.start(await aPlace(), {
    RATE_LIMITS: '100000/60',
    LEASE_SECONDS: '3',
    MEDIA_WORKERS: '2',
    MEDIA_SLOTS: '1',
    WEBHOOK_SCHEDULE: '0,1,1,2,4,8,16,32',
  })
  verify = await publishedVerification()
})

afterAll(async () => {
  await service.stop()
  await Promise.all([clips.close(), hooks.close()])
  await removePlace(service.place)
})

/** The receiver's code from docs/webhooks.md. */
async function publishedVerification(): Promise<Verify> {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const code = blocks.find((block) => block.includes('function verifyWebhook')) ?? ''
  const file = path.join(service.place.dataDir, 'verify.ts')
  await writeFile(file, code)
  const { verifyWebhook } = (await import(file)) as { verifyWebhook: Verify }
  return verifyWebhook
}

/** A path at which nothing has arrived yet, not even in a first try of the same test. */
function aHookPath(): string {
  return `/${crypto.randomUUID()}`
}

/** Long enough to be interrupted in the middle. */
function slowJob(fileUrl = long) {
  return { fileUrl, compressionQuality: 30 }
}

async function outcomes(jobId: string): Promise<string[]> {
  const { attempts } = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
  return (attempts as { outcome: string }[]).map(({ outcome }) => outcome)
}

async function untilRendered(videoId: string): Promise<void> {
  await poll(`the rendering of ${videoId}`, async () => {
    const { status, phase, progressPercent } = await readVideo(service, videoId)
    if (ended.includes(String(status))) throw new Error(`${videoId} has ${String(status)} already`)
    return (phase === 'rendering' && Number(progressPercent) >= 1) || undefined
  })
}

type MediaWorker = RunningService['dev']['mediaWorkers'][number]

async function isBusy({ url }: MediaWorker): Promise<boolean> {
  return (await jsonOf(await fetch(`${url}/health`)))['running'] !== 0
}

async function busyOne(): Promise<MediaWorker> {
  const { mediaWorkers } = await service.refreshDevFile()
  for (const worker of mediaWorkers) if (await isBusy(worker)) return worker
  throw new Error('no media worker is at work')
}

async function download(record: Json): Promise<Uint8Array> {
  const response = await fetch(String(record['finalVideoUrl']))
  expect(response.status).toBe(200)
  return response.bytes()
}

/** The events that have arrived at this path, once there is one. */
async function eventTypes(hookPath: string): Promise<unknown[]> {
  await poll(`a webhook to ${hookPath}`, async () => hooks.at(hookPath)[0])
  return hooks.at(hookPath).map(({ body }) => (JSON.parse(body) as Json)['type'])
}

/** The API runs in another process than this one, and answers. */
async function untilBack(killed: number): Promise<void> {
  await poll('another API', async () => {
    const { workerPid, baseUrl } = await service.refreshDevFile()
    if (workerPid === killed || workerPid === 0) return undefined
    const health = await fetch(`${baseUrl}/health`).catch(() => undefined)
    return health?.ok || undefined
  })
}

async function videosNamed(name: string): Promise<unknown[]> {
  const { data } = await jsonOf(await service.request('/v1/videos'))
  return (data as Json[]).flatMap(({ videoName, videoId }) => (videoName === name ? [videoId] : []))
}

describe('a webhook', () => {
  it('arrives when its receiver is up again: with one id, and a new signature for each attempt', async () => {
    const port = await freePort()
    const webhookUrl = `http://127.0.0.1:${port}/hooks`
    const { videoId } = await createVideo(service, { fileUrl: small, webhookUrl })
    const delivery = async () => {
      const answer = await service.request(`/v1/webhooks/deliveries?videoId=${videoId}`)
      const [known] = (await jsonOf(answer))['data'] as (Json & { attempts: Json[] })[]
      return known
    }
    await poll('an attempt in vain', async () => (await delivery())?.attempts[0])
    const receiver = await HookReceiver.start(port, [500])
    const done = await poll('the delivery', async () => {
      const known = await delivery()
      return known?.['status'] === 'pending' ? undefined : known
    })
    await receiver.close()

    expect(done['status']).toBe('succeeded')
    const codes = done.attempts.map(({ statusCode }) => statusCode)
    expect([codes[0], ...codes.slice(-2)]).toEqual([null, 500, 200])
    const [first, second, ...more] = receiver.received
    if (!first || !second) throw new Error('less than two requests have come')
    expect(more).toEqual([])
    expect(second.body).toBe(first.body)
    const changing = ['webhook-timestamp', 'webhook-signature']
    for (const name of changing) expect(second.headers[name]).not.toBe(first.headers[name])
    for (const { headers, body } of [first, second]) {
      expect(headers['webhook-id']).toBe(done['webhookId'])
      expect(verify(service.dev.webhookSecret, headers, body)).toMatchObject({
        type: 'video.succeeded',
        data: { videoId, status: 'succeeded' },
      })
      expect(() => verify(service.dev.webhookSecret, headers, `${body} `)).toThrow('no signature')
    }
  })
})

describe('a media worker', () => {
  it(
    'that was stopped past its lease changes nothing when it continues',
    { tags: 'campaign' },
    async () => {
      const hookPath = aHookPath()
      const webhookUrl = hooks.url(hookPath)
      const { videoId, jobId } = await createVideo(service, { ...slowJob(), webhookUrl })
      await untilRendered(videoId)
      const still = await busyOne()
      process.kill(still.pid, 'SIGSTOP')
      // Much later, the service would start it again, as one that answers nobody.
      await poll(
        'the lease to run out',
        async () => (await outcomes(jobId))[0] === 'lost' || undefined,
      )
      process.kill(still.pid, 'SIGCONT')
      await poll('the late one to let go', async () => !(await isBusy(still)) || undefined)

      const record = await untilStatus(service, videoId, ended)
      expect(record['status']).toBe('succeeded')
      expect(await outcomes(jobId)).toEqual(['lost', 'succeeded'])
      const { sizeInBytes } = record['videoMetadata'] as Json
      expect((await download(record)).length).toBe(sizeInBytes)
      expect(await eventTypes(hookPath)).toEqual(['video.succeeded'])
    },
  )
})

describe('the API, killed', () => {
  it('in the middle of an upload, leaves no half video: the upload succeeds when repeated, and a running video finishes', async () => {
    const hookPath = aHookPath()
    const webhookUrl = hooks.url(hookPath)
    const running = await createVideo(service, { ...slowJob(medium), webhookUrl })
    await untilRendered(running.videoId)
    const file = await aLargeClip()
    const videoName = `Sent twice ${crypto.randomUUID()}`
    const fields = { videoName }
    const { workerPid } = await service.refreshDevFile()
    const kill = () => void process.kill(workerPid, 'SIGKILL')
    const cutOff = await uploadForm(service, file, fields, kill)
    expect(cutOff?.status ?? 503).toBeGreaterThanOrEqual(500)
    await untilBack(workerPid)
    expect(await videosNamed(videoName)).toEqual([])

    const answer = await uploadForm(service, file, fields)
    expect(answer?.status).toBe(202)
    const { videoId } = answer ? await jsonOf(answer) : {}
    expect(await untilStatus(service, String(videoId), ended)).toMatchObject({
      status: 'succeeded',
      videoName,
    })
    expect(await videosNamed(videoName)).toEqual([videoId])
    expect(await untilStatus(service, running.videoId, ended)).toMatchObject({
      status: 'succeeded',
    })
    expect(await eventTypes(hookPath)).toEqual(['video.succeeded'])
  })
})

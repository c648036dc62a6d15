import { describe, expect, it, vi } from 'vitest'
import type { MediaJob } from '../../../worker/contract/media-job.ts'
import { signatureHeader, verifyMessage } from '../../../worker/contract/signature.ts'
import { ownContainer } from '../../../worker/durable/media-worker.ts'
import { readSettings } from '../../../worker/settings.ts'
import { bindings } from '../../support/worker/bindings.ts'

const settings = readSettings(bindings)
const health = { status: 'ok', version: 1, slots: 1, running: 0 }

const job: MediaJob = {
  version: 1,
  jobId: 'j_0123456789abcdef',
  videoId: 'v_12345678',
  fence: 1,
  attempt: 1,
  inputs: [{ field: 'fileUrl', url: 'https://example.com/a.mp4', origin: 'customer' }],
  options: {} as MediaJob['options'],
  reports: { url: 'https://spool.example/internal', key: 'k', heartbeatSeconds: 10 },
}

/** A container as a Durable Object sees its own. */
function aContainer(answerJob: () => Response = () => new Response(null, { status: 202 })) {
  const requests: Request[] = []
  const started: (ContainerStartupOptions | undefined)[] = []
  const fake = {
    running: false,
    start(options?: ContainerStartupOptions) {
      started.push(options)
      fake.running = true
    },
    async destroy() {
      fake.running = false
    },
    getTcpPort: () => ({
      async fetch(url: string, init?: RequestInit) {
        if (!fake.running) throw new Error('the container is not running')
        const request = new Request(url, init)
        requests.push(request)
        return request.url.endsWith('/health') ? Response.json(health) : answerJob()
      },
    }),
  }
  return { fake, requests, started, container: fake as unknown as Container }
}

const pathsOf = (requests: Request[]) => requests.map(({ url }) => new URL(url).pathname)

describe('ownContainer', () => {
  it('starts the container, waits until it answers, and offers the job signed', async () => {
    const { container, requests, started } = aContainer()
    const carrier = ownContainer(container, settings)
    expect(carrier.workers()).toEqual(['container'])
    expect(await carrier.offer('container', job)).toBe(true)
    expect(started).toEqual([
      {
        enableInternet: true,
        env: { MEDIA_WORKER_TOKEN: bindings.MEDIA_WORKER_TOKEN, MEDIA_SLOTS: '1' },
      },
    ])
    expect(pathsOf(requests)).toEqual(['/health', '/jobs'])
    const [, offer] = requests
    const body = (await offer?.text()) ?? ''
    const signature = offer?.headers.get(signatureHeader)
    expect(JSON.parse(body)).toEqual(job)
    expect(await verifyMessage(bindings.MEDIA_WORKER_TOKEN, body, signature, Date.now())).toBe(true)
  })

  it('does not start a container that runs', async () => {
    const { container, fake, started } = aContainer()
    fake.running = true
    await ownContainer(container, settings).offer('container', job)
    expect(started).toEqual([])
  })

  it('takes a container that cannot be had for no capacity', async () => {
    const { container, fake } = aContainer()
    vi.spyOn(fake, 'start').mockImplementation(() => {
      throw new Error('there is no container instance that can be provided')
    })
    expect(await ownContainer(container, settings).offer('container', job)).toBe(false)
  })

  it('takes anything but a 202 for a no', async () => {
    const busy = aContainer(() => new Response(null, { status: 503 }))
    expect(await ownContainer(busy.container, settings).offer('container', job)).toBe(false)
    const strict = aContainer(() => Response.json({ error: 'version' }, { status: 400 }))
    expect(await ownContainer(strict.container, settings).offer('container', job)).toBe(false)
  })

  it('stops the container when its job is over, and minds neither twice nor a late cancel', async () => {
    const { container, fake } = aContainer()
    const carrier = ownContainer(container, settings)
    await carrier.offer('container', job)
    await carrier.release()
    expect(fake.running).toBe(false)
    await carrier.release()
    await carrier.cancel('container', job.jobId, 1)
  })
})

import { signMessage, signatureHeader } from '../contract/signature.ts'
import type { MediaJob } from '../contract/media-job.ts'
import { describeError, log } from '../service/log.ts'
import type { Settings } from '../settings.ts'

/** No answer in this time counts as no capacity. */
const answerTimeoutMs = 5000

/** The two ways to reach a media worker: an own container, or Node processes over HTTP. */
export type MediaCarrier = {
  /** Who may be asked, in the order to ask them. */
  workers(): string[]
  /** Whether this worker takes the job; no clear yes is a no. */
  offer(worker: string, job: MediaJob): Promise<boolean>
  /** Best effort: a worker that misses it is told to stop by the answer to its next report. */
  cancel(worker: string, jobId: string, fence: number): Promise<void>
  /** The job is over: whatever was held for it may go. */
  release(): Promise<void>
}

type Send = (path: string, init: RequestInit) => Promise<Response>

async function postSigned(send: Send, settings: Settings, path: string, message: unknown) {
  const body = JSON.stringify(message)
  return send(path, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      [signatureHeader]: await signMessage(settings.mediaWorkers.token, body, Date.now()),
    },
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
}

/** Whether this worker takes the job. Anything but a 202 means: not now, not here. */
async function offerTo(send: Send, settings: Settings, worker: string, job: MediaJob) {
  try {
    const response = await postSigned(send, settings, '/jobs', job)
    if (response.status !== 202 && response.status !== 503) {
      const answer = (await response.text()).slice(0, 300)
      log('error', 'media worker refused a job', {
        worker,
        jobId: job.jobId,
        status: response.status,
        answer,
      })
    } else {
      await response.body?.cancel()
    }
    return response.status === 202
  } catch (error) {
    log('warn', 'media worker did not answer', { worker, ...describeError(error) })
    return false
  }
}

async function cancelAt(send: Send, settings: Settings, jobId: string, fence: number) {
  try {
    const response = await postSigned(send, settings, '/jobs/cancel', { jobId, fence })
    await response.body?.cancel()
  } catch (error) {
    log('warn', 'media worker did not hear a cancel', { jobId, fence, ...describeError(error) })
  }
}

/** Node processes at known addresses; begun at a random one, so that load spreads. */
export function httpMediaWorkers(settings: Settings): MediaCarrier {
  const sendTo =
    (worker: string): Send =>
    (path, init) =>
      fetch(worker + path, init)
  return {
    workers() {
      const { urls } = settings.mediaWorkers
      const first = Math.floor(Math.random() * urls.length)
      return [...urls.slice(first), ...urls.slice(0, first)]
    },
    offer: async (worker, job) => offerTo(sendTo(worker), settings, worker, job),
    cancel: async (worker, jobId, fence) => cancelAt(sendTo(worker), settings, jobId, fence),
    async release() {},
  }
}

const containerPort = 8080
const readinessPolls = 20
const readinessPauseMs = 500

/** The container that belongs to this Durable Object: one instance, one job. */
export function ownContainer(container: Container, settings: Settings): MediaCarrier {
  const send: Send = (path, init) =>
    container.getTcpPort(containerPort).fetch(`http://media-worker${path}`, init)
  return {
    workers: () => ['container'],
    async offer(worker, job) {
      try {
        if (!container.running) container.start(containerOptions(settings))
        await untilReady(send)
      } catch (error) {
        // No instance free, too many starts a second: all of them are waited out.
        log('warn', 'container did not start', { jobId: job.jobId, ...describeError(error) })
        return false
      }
      return offerTo(send, settings, worker, job)
    },
    cancel: async (_worker, jobId, fence) => cancelAt(send, settings, jobId, fence),
    async release() {
      if (container.running) await container.destroy()
    },
  }
}

function containerOptions(settings: Settings): ContainerStartupOptions {
  return {
    enableInternet: true,
    env: { MEDIA_WORKER_TOKEN: settings.mediaWorkers.token, MEDIA_SLOTS: '1' },
  }
}

/** `running` is not ready: the process inside answers a little later. */
async function untilReady(send: Send): Promise<void> {
  let last: unknown
  for (let poll = 0; poll < readinessPolls; poll++) {
    try {
      const response = await send('/health', { signal: AbortSignal.timeout(1000) })
      await response.body?.cancel()
      if (response.ok) return
    } catch (error) {
      last = error
    }
    await scheduler.wait(readinessPauseMs)
  }
  throw new Error('the container did not become ready', { cause: last })
}

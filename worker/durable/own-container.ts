import type { MediaJob } from '../contract/media-job.ts'
import type { AttemptTrace } from '../contract/report.ts'
import { deriveKey } from '../contract/signature.ts'
import { describeError, log } from '../service/log.ts'
import type { Settings } from '../settings.ts'
import {
  cancelAt,
  offerTo,
  type Line,
  type MediaCarrier,
  type OfferAnswer,
  type Send,
} from './media-worker.ts'

const containerPort = 8080
/** A cold start takes seconds, a first pull of the image longer; the next offer goes on waiting. */
const readinessPolls = 20
const readinessPauseMs = 500
/** One that runs for so long and never answers will not; the next one may. */
const hopelessMs = 180_000
/** Work in the background is no activity to the runtime: without renewal it would be ended in the middle of it. */
const leastInactivityMs = 600_000

/**
 * `not there`: no instance is free, or too many are being started, and no other job would get one either. `not ready`: it
 * is this job's own, and says nothing about others. Both are waited out.
 */
type Started = 'ready' | 'not ready' | 'not there'

type OwnContainerOptions = {
  /** Told when the container has gone. */
  onStopped: () => void
  pause?: (ms: number) => Promise<void>
}

/** The container that belongs to this Durable Object: one instance, one job. */
export class OwnContainer implements MediaCarrier {
  /** The runtime wakes nobody when a container stops, so a running job is looked after this often. */
  readonly lookMs = 60_000
  readonly #container: Container
  readonly #settings: Settings
  readonly #onStopped: () => void
  readonly #pause: (ms: number) => Promise<void>
  // One that outlived this object's memory gets its whole time once more.
  #startedAt = Date.now()

  constructor(container: Container, settings: Settings, options: OwnContainerOptions) {
    this.#container = container
    this.#settings = settings
    this.#onStopped = options.onStopped
    this.#pause = options.pause ?? (async (ms) => scheduler.wait(ms))
    if (!container.running) return
    // This object was away: what it knew of its container went with its memory.
    void this.#watch()
    void this.renew()
  }

  workers(): string[] {
    return ['container']
  }

  async offer(worker: string, job: MediaJob, interrupted: AbortSignal): Promise<OfferAnswer> {
    try {
      const line = await this.#lineFor(job.jobId)
      const started = await this.#start(line.token, interrupted)
      if (started !== 'ready') {
        log('warn', 'container did not start', { jobId: job.jobId, fault: started })
        return started === 'not there' ? 'busy' : 'silent'
      }
      const answer = await offerTo(line, worker, { job, interrupted })
      // Of another version than this Worker, as during a rollout: the next one may be of the new image.
      if (answer === 'refused') await this.release()
      return answer
    } catch (error) {
      log('warn', 'media worker did not answer', { worker, ...describeError(error) })
      return 'silent'
    }
  }

  async cancel(_worker: string, jobId: string, fence: number): Promise<AttemptTrace | undefined> {
    return this.#container.running ? cancelAt(await this.#lineFor(jobId), jobId, fence) : undefined
  }

  async release(): Promise<void> {
    if (!this.#container.running) return
    await noted('container was not stopped', async () => this.#container.destroy())
  }

  isGone(): boolean {
    return !this.#container.running
  }

  async renew(): Promise<void> {
    if (!this.#container.running) return
    const ms = Math.max(leastInactivityMs, this.#settings.leaseMs * 3)
    await noted('container was not told to stay', async () =>
      this.#container.setInactivityTimeout(ms),
    )
  }

  async #lineFor(jobId: string): Promise<Line> {
    return { send: this.#send, token: await containerToken(this.#settings, jobId) }
  }

  async #start(token: string, interrupted: AbortSignal): Promise<Started> {
    if (!this.#container.running) {
      try {
        this.#container.start(startupOptions(this.#settings, token))
      } catch (error) {
        log('warn', 'container was refused', describeError(error))
        return 'not there'
      }
      this.#startedAt = Date.now()
      void this.#watch()
    }
    await this.renew()
    if (await this.#isReady(interrupted)) return 'ready'
    if (!this.#container.running) return 'not there'
    if (Date.now() - this.#startedAt > hopelessMs) await this.release()
    return 'not ready'
  }

  async #watch(): Promise<void> {
    await noted('container stopped', async () => this.#container.monitor())
    this.#onStopped()
  }

  /** `running` is not ready: the process inside answers a little later. */
  async #isReady(interrupted: AbortSignal): Promise<boolean> {
    for (let poll = 0; poll < readinessPolls && this.#container.running; poll++) {
      if (interrupted.aborted) return false
      try {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(1000)])
        const response = await this.#send('/health', { signal })
        await response.body?.cancel()
        if (response.ok) return true
      } catch {
        // Not listening yet; said once, by whoever gives up.
      }
      await unlessInterrupted(interrupted, this.#pause(readinessPauseMs))
    }
    return false
  }

  readonly #send: Send = async (path, init) =>
    this.#container.getTcpPort(containerPort).fetch(`http://media-worker${path}`, init)
}

/** Resolves with the work, or before it. */
async function unlessInterrupted(interrupted: AbortSignal, work: Promise<void>): Promise<void> {
  if (interrupted.aborted) return
  await Promise.race([
    work,
    new Promise<void>((resolve) => interrupted.addEventListener('abort', () => resolve())),
  ])
}

/** What cannot be helped is logged: the alarm looks again. */
async function noted(event: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('warn', event, describeError(error))
  }
}

/**
 * A container has one job, and what it knows signs nothing but that: one taken over by its file can speak neither for
 * another container nor to a media worker over HTTP. Derived, so that an object that was away finds it again.
 */
async function containerToken({ secret }: Settings, jobId: string): Promise<string> {
  return deriveKey(secret, `container:${jobId}`)
}

function startupOptions(settings: Settings, token: string): ContainerStartupOptions {
  return {
    enableInternet: true,
    env: {
      ...settings.providers,
      MEDIA_WORKER_TOKEN: token,
      MEDIA_SLOTS: '1',
      // Nobody else could use its slot.
      MEDIA_FETCHING: '0',
    },
  }
}

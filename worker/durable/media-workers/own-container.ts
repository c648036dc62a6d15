import type { CancelRequest, MediaJob } from '../../contract/job/media-job.ts'
import type { AttemptTrace } from '../../contract/job/report.ts'
import { deriveKey } from '../../contract/keyed-hash.ts'
import { describeError, log, noted } from '../../service/log.ts'
import type { Settings } from '../../settings.ts'
import {
  cancelAt,
  offerTo,
  planAt,
  type WorkerConnection,
  type MediaCarrier,
  type Offered,
  type OfferAnswer,
  type PlanAnswer,
  type Send,
} from './media-worker.ts'

const containerPort = 8080
/** A cold start takes seconds, and the first pull of an image longer; then the next offer continues to wait. */
const readinessPolls = 20
const readinessPauseMs = 500
/** How long a container stays after a plan, because people seldom ask for only one. */
const planStayMs = 60_000
/** A container that has run this long without answering never will, so the next offer gets a new one. */
const hopelessMs = 180_000
/**
 * Background work does not count as activity: without renewal the runtime would stop the container in the middle of a
 * job.
 */
const leastInactivityMs = 600_000

/**
 * `not there`: no instance is free, or too many are being started, so no other job would get one either. `not ready`:
 * the job's own container is still starting, which says nothing about others. The job waits in both cases.
 */
type Started = 'ready' | 'not ready' | 'not there'

type OwnContainerOptions = {
  /** Called when the container has stopped by itself. */
  onStopped: () => void
  /** Called once it is known whether the container could be started: with the engine's error if not. */
  onStart: (fault: string | undefined) => void
  pause?: (ms: number) => Promise<void>
}

/** The container that belongs to this Durable Object: one instance, one job. */
export class OwnContainer implements MediaCarrier {
  /** The runtime does not wake this object when a container stops, so a running job is checked this often. */
  readonly lookMs = 60_000
  readonly startsSlowly = true
  readonly #container: Container
  readonly #settings: Settings
  readonly #onStopped: () => void
  readonly #onStart: OwnContainerOptions['onStart']
  readonly #pause: (ms: number) => Promise<void>
  // A container that was running before this object was restarted gets its whole time again.
  #startedAt = Date.now()
  /** Why the last container stopped, if it was not told to. */
  #fault: string | undefined
  #isToldToStop = false

  constructor(container: Container, settings: Settings, options: OwnContainerOptions) {
    this.#container = container
    this.#settings = settings
    this.#onStopped = options.onStopped
    this.#onStart = options.onStart
    this.#pause = options.pause ?? (async (ms) => scheduler.wait(ms))
    if (!container.running) return
    // This object was restarted, so nothing watches its running container any more.
    void this.#watch()
    void this.renew()
  }

  workers(): string[] {
    return ['container']
  }

  async offer(worker: string, job: Offered, interrupted: AbortSignal): Promise<OfferAnswer> {
    try {
      const line = await this.#lineFor(job.jobId)
      const started = await this.#start(line.token, interrupted)
      if (started !== 'ready') {
        const { jobId } = job
        log('warn', 'container did not start', { jobId, fault: this.#fault ?? started })
        if (started === 'not there' && !interrupted.aborted) this.#onStart(this.#fault ?? started)
        return started === 'not there' ? 'busy' : 'silent'
      }
      this.#onStart(undefined)
      const answer = await offerTo(line, worker, { job, interrupted })
      // The container has another version than this Worker, as during a rollout; the next one may have the new image.
      if (answer === 'refused') await this.release()
      return answer
    } catch (error) {
      log('warn', 'media worker did not answer', { worker, ...describeError(error) })
      return 'silent'
    }
  }

  /** Plans a video in the container that makes the plans of one account and has no job. */
  async plan(worker: string, job: MediaJob): Promise<PlanAnswer> {
    try {
      const line = await this.#lineFor(`plans@${job.account}`)
      const interrupted = new AbortController().signal
      if ((await this.#start(line.token, interrupted)) !== 'ready') return 'busy'
      return await planAt(line, worker, job)
    } catch (error) {
      log('warn', 'media worker did not answer', { worker, ...describeError(error) })
      return 'silent'
    } finally {
      await this.#stay(planStayMs)
    }
  }

  async cancel(
    _worker: string,
    jobId: string,
    fence: number,
    part?: CancelRequest['part'],
  ): Promise<AttemptTrace | undefined> {
    if (!this.#container.running) return undefined
    return cancelAt(await this.#lineFor(jobId), { jobId, fence, part })
  }

  /** Nobody can ask a container before it is started for its job. */
  async engines(): Promise<string[]> {
    return []
  }

  async release(): Promise<void> {
    if (!this.#container.running) return
    this.#isToldToStop = true
    await noted('container was not stopped', async () => this.#container.destroy())
  }

  gone(): string | undefined {
    if (this.#container.running) return undefined
    return this.#fault ?? 'Its container has stopped.'
  }

  async renew(): Promise<void> {
    await this.#stay(Math.max(leastInactivityMs, this.#settings.leaseMs * 3))
  }

  async #stay(ms: number): Promise<void> {
    if (!this.#container.running) return
    await noted('container was not told to stay', async () =>
      this.#container.setInactivityTimeout(ms),
    )
  }

  async #lineFor(jobId: string): Promise<WorkerConnection> {
    return { send: this.#send, token: await containerToken(this.#settings, jobId) }
  }

  async #start(token: string, interrupted: AbortSignal): Promise<Started> {
    if (!this.#container.running) {
      try {
        this.#container.start(startupOptions(this.#settings, token))
      } catch (error) {
        this.#fault = messageOf(error)
        return 'not there'
      }
      this.#fault = undefined
      this.#isToldToStop = false
      this.#startedAt = Date.now()
      void this.#watch()
    }
    await this.renew()
    if (await this.#isReady(interrupted)) return 'ready'
    if (!this.#container.running) return 'not there'
    if (Date.now() - this.#startedAt > hopelessMs) await this.release()
    return 'not ready'
  }

  /** Waits for the end of the container. One that was told to stop is not reported: the log has the end of its job. */
  async #watch(): Promise<void> {
    try {
      await this.#container.monitor()
      if (!this.#isToldToStop) this.#fault = 'Its container ended by itself.'
    } catch (error) {
      if (!this.#isToldToStop) this.#fault = messageOf(error)
    }
    if (this.#fault !== undefined) log('warn', 'container stopped', { fault: this.#fault })
    this.#onStopped()
  }

  /** A container that is `running` may not be ready: the process in it answers a little later. */
  async #isReady(interrupted: AbortSignal): Promise<boolean> {
    for (let poll = 0; poll < readinessPolls && this.#container.running; poll++) {
      if (interrupted.aborted) return false
      try {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(1000)])
        const response = await this.#send('/health', { signal })
        await response.body?.cancel()
        if (response.ok) return true
      } catch {
        // It is not listening yet. The caller logs that once, if it gives up.
      }
      await unlessInterrupted(interrupted, this.#pause(readinessPauseMs))
    }
    return false
  }

  readonly #send: Send = async (path, init) =>
    this.#container.getTcpPort(containerPort).fetch(`http://media-worker${path}`, init)
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}

/** Resolves when the work is done or interrupted. */
async function unlessInterrupted(interrupted: AbortSignal, work: Promise<void>): Promise<void> {
  if (interrupted.aborted) return
  await Promise.race([
    work,
    new Promise<void>((resolve) => interrupted.addEventListener('abort', () => resolve())),
  ])
}

/**
 * The token of one job's container. If a file takes over the container, it can speak neither for another container nor
 * to a media worker over HTTP. The token is derived, so that an object that was restarted finds it again.
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
      // No other job could use the slot that a fetching job leaves.
      MEDIA_FETCHING: '0',
    },
  }
}

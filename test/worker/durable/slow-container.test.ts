import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Dispatcher } from '../../../worker/durable/dispatcher.ts'
import { jobRunner, JobRunner } from '../../../worker/durable/job/job-runner.ts'
import type { Env } from '../../../worker/settings.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { slots } from '../../support/worker/dispatcher.ts'
import { FakeContainer } from '../../support/worker/platform/fake-container.ts'
import { aVideo, jobRow, videoRow, type Created } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

const noInstance = new Error('there is no container instance that can be provided')

/** A deployed service: every job has a container of its own, and nobody can be asked for free slots. */
class Deployed {
  readonly containers = new Map<string, FakeContainer>()
  readonly #runners = new Map<string, JobRunner>()
  readonly #env: Env
  #dispatcher: Dispatcher | undefined

  constructor() {
    this.#env = {
      ...bindings,
      MEDIA_WORKER_URLS: '',
      DISPATCHER: { getByName: () => this.#askDispatcher() },
      JOB_RUNNER: { getByName: (jobId: string) => this.#askRunner(jobId) },
    } as unknown as Env
  }

  async video(): Promise<Created & { container: FakeContainer }> {
    const created = await aVideo(await aClient())
    const container = new FakeContainer()
    this.containers.set(created.jobId, container)
    await runInDurableObject(jobRunner(bindings, created.jobId), (_, state) => {
      Object.defineProperty(state, 'container', { value: container.asContainer() })
      // It would ring at the object itself, which has no container; a delivery rings it instead.
      vi.spyOn(state.storage, 'setAlarm').mockResolvedValue()
      this.#runners.set(created.jobId, new JobRunner(state, this.#env))
    })
    return { ...created, container }
  }

  async open(): Promise<void> {
    await runInDurableObject(slots(), (_, state) => {
      this.#dispatcher = new Dispatcher(state, this.#env)
    })
  }

  /** Delivers what the queue has for the job now. */
  async deliver(jobId: string): Promise<void> {
    const at = queue.current.sent.findIndex(({ body }) => body.jobId === jobId)
    const [message] = at < 0 ? [] : queue.current.sent.splice(at, 1)
    if (!message) throw new Error(`no message for ${jobId}`)
    advanceSeconds(message.delaySeconds)
    await this.within(jobId, async (runner) => {
      await runner.dispatch(message.body)
      await runner.alarm()
    })
    await this.settle()
  }

  async within<Value>(jobId: string, work: (runner: JobRunner) => Promise<Value>): Promise<Value> {
    const runner = this.#runners.get(jobId)
    if (!runner) throw new Error(`nobody runs ${jobId}`)
    return runInDurableObject(jobRunner(bindings, jobId), async () => work(runner))
  }

  async ring(): Promise<void> {
    await this.#atDispatcher(async (dispatcher) => dispatcher.alarm())
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.#atDispatcher(async (dispatcher) => dispatcher.settled())
  }

  async #atDispatcher<Value>(work: (dispatcher: Dispatcher) => Promise<Value>): Promise<Value> {
    const dispatcher = this.#dispatcher
    if (!dispatcher) throw new Error('open() comes first')
    return runInDurableObject(slots(), async () => work(dispatcher))
  }

  #askDispatcher(): unknown {
    const call =
      (method: string) =>
      async (...given: unknown[]) =>
        this.#atDispatcher(async (dispatcher) => callMethod(dispatcher, method, given))
    return new Proxy({}, { get: (_, method) => call(String(method)) })
  }

  #askRunner(jobId: string): unknown {
    const call =
      (method: string) =>
      async (...given: unknown[]) =>
        this.within(jobId, async (runner) => callMethod(runner, method, given))
    return new Proxy({}, { get: (_, method) => call(String(method)) })
  }
}

async function callMethod(object: object, method: string, given: unknown[]): Promise<unknown> {
  return (Reflect.get(object, method) as (...given: unknown[]) => unknown).apply(object, given)
}

let service: Deployed

beforeEach(async () => {
  service = new Deployed()
  await service.open()
  // The pause between two looks at a starting container: the time passes, and nobody waits for it.
  vi.spyOn(scheduler, 'wait').mockImplementation(async (ms) => {
    advanceSeconds(ms / 1000)
    for (const container of service.containers.values()) {
      if (container.running) await container.passTime()
    }
  })
})

const statusOf = async ({ videoId }: Created) => (await videoRow(videoId))?.status
const offersTo = (container: FakeContainer) =>
  container.paths().filter((path) => path === '/jobs').length

/** It seems to start for more than a minute, and then there is no instance for it. */
function hangs(container: FakeContainer): void {
  container.readyAfterPolls = Infinity
  container.stopsAfterPolls = 130
  container.fault = noInstance
}

function starts(container: FakeContainer): void {
  container.readyAfterPolls = 4
  container.stopsAfterPolls = Infinity
  container.fault = undefined
  container.refusal = undefined
}

describe('a container that starts for more than a minute, and then finds no instance', () => {
  it('costs its job no attempt, and the job runs once when there is room again', async () => {
    const video = await service.video()
    hangs(video.container)
    const began = Date.now()
    while (queue.current.sentFor(video.jobId).length > 0) {
      await service.deliver(video.jobId)
      await service.ring()
      // It keeps its turn: one container is waited for, and one message asks for it.
      expect(video.container.started).toHaveLength(1)
      expect(queue.current.sentFor(video.jobId).length).toBeLessThanOrEqual(1)
    }
    expect(Date.now() - began).toBeGreaterThan(60_000)
    expect(video.container.running).toBe(false)
    expect(await statusOf(video)).toBe('queued')
    expect(await jobRow(video.jobId)).toMatchObject({ attempts: 0, startedAt: null, waits: 1 })

    starts(video.container)
    advanceSeconds(6)
    await service.ring()
    expect(await statusOf(video)).toBe('running')
    expect(await jobRow(video.jobId)).toMatchObject({ attempts: 1 })
    expect(offersTo(video.container)).toBe(1)
  })

  it('keeps nobody behind it from starting, and loses no slot', async () => {
    const first = await service.video()
    hangs(first.container)
    await service.deliver(first.jobId)
    expect(queue.current.sentFor(first.jobId)).toMatchObject([{ delaySeconds: 5 }])
    const second = await service.video()
    starts(second.container)
    await service.deliver(second.jobId)
    expect(await statusOf(second)).toBe('running')

    const third = await service.video()
    third.container.refusal = noInstance
    await service.deliver(third.jobId)
    expect(await statusOf(third)).toBe('queued')
    while (queue.current.sentFor(first.jobId).length > 0) await service.deliver(first.jobId)

    // The slot of the second falls free: the first, which has waited longest, is called and takes it.
    for (const { container } of [first, third]) starts(container)
    await service.within(second.jobId, async (runner) => runner.cancel(second.jobId))
    await service.settle()
    expect([await statusOf(first), await statusOf(third)]).toEqual(['running', 'queued'])
    advanceSeconds(61)
    await service.ring()
    expect(await statusOf(third)).toBe('running')
    for (const { jobId, container } of [first, third]) {
      expect(await jobRow(jobId)).toMatchObject({ attempts: 1 })
      expect(offersTo(container)).toBe(1)
    }
  })

  it('does not keep its turn for ever if its message is lost', async () => {
    const video = await service.video()
    hangs(video.container)
    await service.deliver(video.jobId)
    queue.current.sent.length = 0
    starts(video.container)
    advanceSeconds(46)
    await service.ring()
    expect(await statusOf(video)).toBe('running')
    expect(offersTo(video.container)).toBe(1)
  })
})

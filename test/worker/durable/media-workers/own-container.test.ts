import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { signatureHeader, verifyMessage } from '../../../../worker/contract/job/signed-message.ts'
import { jobRunner, JobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { OwnContainer } from '../../../../worker/durable/media-workers/own-container.ts'
import { dispatcher } from '../../../../worker/service/line/dispatching.ts'
import { readSettings } from '../../../../worker/settings.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { FakeContainer } from '../../../support/worker/fake-container.ts'
import { attemptRows, aVideo, jobRow, videoRow } from '../../../support/worker/videos.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { busy } from '../../../support/worker/media-workers.ts'

const { queue } = standInForAll()

const settings = readSettings(bindings)
const job = {
  version: 1,
  jobId: 'j_0123456789abcdef',
  videoId: 'v_12345678',
  fence: 1,
} as unknown as MediaJob

const uninterrupted = new AbortController().signal

let fake: FakeContainer
beforeEach(() => {
  fake = new FakeContainer()
  startFaults = []
})

let startFaults: (string | undefined)[] = []
const onStart = (fault: string | undefined) => void startFaults.push(fault)

function carrier(onStopped: () => void = () => undefined) {
  const pause = async () => fake.passTime()
  return new OwnContainer(fake.asContainer(), settings, { onStopped, onStart, pause })
}

describe('OwnContainer', () => {
  it('starts the container, waits until it answers, and offers the job signed', async () => {
    fake.readyAfterPolls = 3
    const own = carrier()
    expect(own.workers()).toEqual(['container'])
    expect(await own.offer('container', job, uninterrupted)).toBe('taken')
    expect(fake.started).toEqual([
      {
        enableInternet: true,
        env: {
          MEDIA_WORKER_TOKEN: expect.any(String) as string,
          MEDIA_SLOTS: '1',
          MEDIA_FETCHING: '0',
        },
      },
    ])
    const token = fake.started[0]?.env?.['MEDIA_WORKER_TOKEN'] ?? ''
    expect(fake.paths()).toEqual(['/health', '/health', '/health', '/health', '/jobs'])
    const offer = fake.requests.at(-1)
    const body = (await offer?.text()) ?? ''
    const signature = offer?.headers.get(signatureHeader)
    expect(JSON.parse(body)).toEqual(job)
    expect(await verifyMessage(token, body, signature, Date.now())).toBe(true)
    expect(fake.inactivityMs).toEqual([600_000])
  })

  it('gives every container a token of its own, which stays the same for its job', async () => {
    const tokenOf = async (jobId: string) => {
      fake = new FakeContainer()
      await carrier().offer('container', { ...job, jobId }, uninterrupted)
      return fake.started[0]?.env?.['MEDIA_WORKER_TOKEN']
    }
    const token = await tokenOf('j_0123456789abcdef')
    expect(await tokenOf('j_0123456789abcdef')).toBe(token)
    expect(new Set([token, await tokenOf('j_other'), bindings.MEDIA_WORKER_TOKEN]).size).toBe(3)
  })

  it('signs a cancel with the token of that container', async () => {
    const own = carrier()
    await own.offer('container', job, uninterrupted)
    await own.cancel('container', job.jobId, 1)
    const cancel = fake.requests.at(-1)
    const token = fake.started[0]?.env?.['MEDIA_WORKER_TOKEN'] ?? ''
    const signature = cancel?.headers.get(signatureHeader)
    const body = (await cancel?.text()) ?? ''
    expect(JSON.parse(body)).toEqual({ jobId: job.jobId, fence: 1 })
    expect(await verifyMessage(token, body, signature, Date.now())).toBe(true)
  })

  it('gives the container the settings and keys of its providers', async () => {
    const providers = { SPEECH_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-1' }
    const own = new OwnContainer(fake.asContainer(), readSettings({ ...bindings, ...providers }), {
      onStopped: () => undefined,
      onStart,
      pause: async () => fake.passTime(),
    })
    await own.offer('container', job, uninterrupted)
    expect(fake.started[0]?.env).toMatchObject(providers)
  })

  it('waits if no container is available, whether refused at once or a moment later', async () => {
    fake.refusal = new Error('there is no container instance that can be provided')
    expect(await carrier().offer('container', job, uninterrupted)).toBe('busy')
    fake.refusal = undefined
    fake.readyAfterPolls = 5
    fake.stopsAfterPolls = 2
    expect(await carrier().offer('container', job, uninterrupted)).toBe('busy')
    expect(fake.paths().filter((path) => path === '/jobs')).toEqual([])
  })

  it('continues to wait for one that starts slowly, and gives up on one that never answers', async () => {
    fake.readyAfterPolls = 30
    const own = carrier()
    expect(await own.offer('container', job, uninterrupted)).toBe('silent')
    expect(fake.running).toBe(true)
    expect(await own.offer('container', job, uninterrupted)).toBe('taken')
    expect(fake.started).toHaveLength(1)

    fake.readyAfterPolls = Infinity
    advanceSeconds(181)
    expect(await own.offer('container', job, uninterrupted)).toBe('silent')
    expect(fake.running).toBe(false)
  })

  it('stops a container that does not understand the job, because the next one may have a newer image', async () => {
    fake.answerJob = () => Response.json({ error: 'ValidationError' }, { status: 400 })
    expect(await carrier().offer('container', job, uninterrupted)).toBe('refused')
    expect(fake.running).toBe(false)
  })

  it('is busy when it says so', async () => {
    fake.answerJob = busy
    expect(await carrier().offer('container', job, uninterrupted)).toBe('busy')
    expect(fake.running).toBe(true)
  })

  it('plans for one account after the other in containers of their own, which stay a minute whatever they answer', async () => {
    const range = { likely: 2, least: 1, most: 4 }
    const foreseen = {
      ...{ sources: [], results: [], warnings: [], unknown: [], refusal: null },
      ...{ seconds: range, cpuSeconds: range },
    }
    fake.answerPlan = () => Response.json(foreseen)
    const own = carrier()
    const plannedFor = async (account: string) => own.plan('container', { ...job, account })
    expect(await plannedFor('a_one')).toEqual(foreseen)
    expect(fake.paths()).toEqual(['/health', '/plans'])
    expect(fake.inactivityMs).toEqual([600_000, 60_000])
    const tokens = () => fake.started.map((options) => options?.env?.['MEDIA_WORKER_TOKEN'])
    fake.die()
    fake.answerPlan = () => new Response('{}')
    expect(await plannedFor('a_two')).toBe('silent')
    expect(new Set(tokens()).size).toBe(2)
    expect(fake.inactivityMs.at(-1)).toBe(60_000)
    fake.answerPlan = () => new Response(null, { status: 504 })
    expect(await plannedFor('a_two')).toBe('late')
    fake.die()
    fake.refusal = new Error('no instance')
    expect(await plannedFor('a_one')).toBe('busy')
  })

  it('notices the end of one that it did not start itself, and keeps it from idling out', async () => {
    fake.running = true
    const onStopped = vi.fn()
    carrier(onStopped)
    await eventually(() => expect(fake.inactivityMs).toEqual([600_000]))
    fake.die()
    await eventually(() => expect(onStopped).toHaveBeenCalledOnce())
  })

  it('says nothing of a container that it has stopped, and tells what ended one that it has not', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const onStopped = vi.fn()
    const own = carrier(onStopped)
    fake.fault = new Error('Container exited with unexpected exit code: 137')
    await own.offer('container', job, uninterrupted)
    await own.release()
    await eventually(() => expect(onStopped).toHaveBeenCalledOnce())
    expect(logged).not.toHaveBeenCalled()
    expect(startFaults).toEqual([undefined])

    await own.offer('container', job, uninterrupted)
    expect(own.gone()).toBeUndefined()
    fake.die()
    await eventually(() => expect(own.gone()).toBe(fake.fault?.message))
    expect(logged.mock.calls.flat().join()).toContain('exit code: 137')
    logged.mockRestore()
  })

  it('tolerates a second release, a late cancel, and a stop that fails', async () => {
    const own = carrier()
    await own.offer('container', job, uninterrupted)
    vi.spyOn(fake, 'destroy').mockRejectedValueOnce(new Error('the network is down'))
    await own.release()
    await own.release()
    expect(fake.running).toBe(false)
    await own.release()
    expect(await own.cancel('container', job.jobId, 1)).toBeUndefined()
  })
})

/** A runner whose object owns a container; calls go through that object. */
async function aRunnerWithContainer() {
  const created = await aVideo()
  const stub = jobRunner(bindings, created.jobId)
  const within = async <Value>(work: (runner: JobRunner) => Promise<Value> | Value) =>
    runInDurableObject(stub, async (_, state) => {
      Object.defineProperty(state, 'container', { value: fake.asContainer(), configurable: true })
      // The alarm would ring at the object itself, which has no container.
      vi.spyOn(state.storage, 'setAlarm').mockResolvedValue()
      return work(new JobRunner(state, bindings))
    })
  return { ...created, within }
}

/** Hands over a message, and has the alarm ring that it sets. */
async function dispatch(runner: JobRunner, given: ReturnType<typeof message>): Promise<void> {
  await runner.dispatch(given)
  await runner.alarm()
}

function message(jobId: string, chain = 0) {
  return { kind: 'dispatch', jobId, chain } as const
}

const progress = { type: 'progress', phase: 'rendering', fence: 1, progressPercent: 40 } as const

describe('a job in a container', () => {
  it('keeps no message waiting while a container starts, and starts it when its alarm rings', async () => {
    const { videoId, jobId, within } = await aRunnerWithContainer()
    await within(async (runner) => runner.dispatch(message(jobId)))
    expect(fake.started).toEqual([])
    // The object died after it had taken the message.
    await within(async (runner) => runner.alarm())
    expect(fake.started).toHaveLength(1)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running' })
    await within(async (runner) => runner.alarm())
    expect(fake.requests.filter(({ url }) => url.endsWith('/jobs'))).toHaveLength(1)
  })

  it('tells in its attempt what the engine said of the end of its container', async () => {
    const { jobId, within } = await aRunnerWithContainer()
    fake.fault = new Error('Container exited with unexpected exit code: 137')
    await within(async (runner) => {
      await dispatch(runner, message(jobId))
      await runner.report({ ...progress, sequence: 1 })
      fake.die()
      await eventually(async () =>
        expect(await attemptRows(jobId)).toMatchObject([{ outcome: 'lost' }]),
      )
    })
    expect((await attemptRows(jobId))[0]?.trace).toMatchObject({
      fault:
        'The media worker stopped answering while rendering. Container exited with unexpected exit code: 137',
    })
  })

  it('is reported by /health once containers were refused three times and none runs', async () => {
    const { jobId, within } = await aRunnerWithContainer()
    fake.refusal = new Error('no such image')
    const slots = dispatcher(bindings)
    for (let refused = 1; refused <= 3; refused++) {
      expect(await slots.containerFault()).toBeUndefined()
      expect(await within(async (runner) => runner.answerCall(jobId))).toBe('busy')
    }
    await eventually(async () =>
      expect(await slots.containerFault()).toEqual({ refused: 3, said: 'no such image' }),
    )
    fake.refusal = undefined
    expect(await within(async (runner) => runner.answerCall(jobId))).toBe('started')
    await eventually(async () => expect(await slots.containerFault()).toBeUndefined())
  })

  it('is tried again when its container dies, long before the lease would end', async () => {
    const { videoId, jobId, within } = await aRunnerWithContainer()
    await within(async (runner) => {
      await dispatch(runner, message(jobId))
      await runner.report({ ...progress, sequence: 1 })
      fake.die()
      await eventually(async () =>
        expect(await videoRow(videoId)).toMatchObject({ status: 'queued' }),
      )
    })
    expect(await attemptRows(jobId)).toMatchObject([
      { outcome: 'lost', trace: { phases: [{ name: 'fetching' }, { name: 'rendering' }] } },
    ])
    expect(queue.current.sentFor(jobId)).not.toEqual([])
  })

  it('is tried again when its container died while the object was away', async () => {
    const { videoId, jobId, within } = await aRunnerWithContainer()
    await within(async (runner) => dispatch(runner, message(jobId)))
    fake.running = false
    await within(async (runner) => runner.alarm())
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
  })

  it('keeps its container from idling out at every check, a minute apart', async () => {
    const { jobId, within } = await aRunnerWithContainer()
    await within(async (runner) => dispatch(runner, message(jobId)))
    const before = fake.inactivityMs.length
    await within(async (runner) => runner.alarm())
    expect(fake.inactivityMs.length).toBeGreaterThan(before)
    expect(fake.running).toBe(true)
  })

  it('costs no attempt when a rollout ends its container', async () => {
    const { videoId, jobId, within } = await aRunnerWithContainer()
    await within(async (runner) => {
      await dispatch(runner, message(jobId))
      const trace = { phases: [], commands: [] }
      await runner.report({ type: 'released', fence: 1, sequence: 1, trace })
      fake.die()
    })
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(await jobRow(jobId)).toMatchObject({ attempts: 0 })
    await within(async (runner) => dispatch(runner, message(jobId, 1)))
    expect(fake.started).toHaveLength(2)
    expect(await jobRow(jobId)).toMatchObject({ attempts: 1, fence: 2 })
  })

  it('costs no attempt while no container is available', async () => {
    const { jobId, within } = await aRunnerWithContainer()
    fake.refusal = new Error('Maximum number of running container instances exceeded')
    await within(async (runner) => {
      await dispatch(runner, message(jobId))
      expect(await jobRow(jobId)).toMatchObject({ attempts: 0, chain: 0, waits: 1 })
      fake.refusal = undefined
      expect(await runner.answerCall(jobId)).toBe('started')
    })
    expect(await jobRow(jobId)).toMatchObject({ attempts: 1 })
  })

  it('is canceled at once while its container starts', async () => {
    const { videoId, jobId, within } = await aRunnerWithContainer()
    fake.readyAfterPolls = Infinity
    await within(async (runner) => {
      const dispatched = dispatch(runner, message(jobId))
      await eventually(() => expect(fake.paths()).toContain('/health'))
      expect(await runner.cancel(jobId)).toBe('canceled')
      expect(fake.paths().length).toBeLessThan(10)
      await dispatched
      await eventually(() => expect(fake.running).toBe(false))
    })
    expect(await videoRow(videoId)).toMatchObject({ status: 'canceled' })
    expect(fake.paths()).not.toContain('/jobs')
  })

  it('leaves no container behind: at its end, when canceled, and when its lease is lost', async () => {
    const failed = await aRunnerWithContainer()
    await failed.within(async (runner) => {
      await dispatch(runner, message(failed.jobId))
      const trace = { phases: [], commands: [] }
      const end = { type: 'failed', reason: 'internal', message: 'x', retryable: false } as const
      await runner.report({ ...end, fence: 1, sequence: 1, trace })
    })
    expect(fake.running).toBe(false)

    const canceled = await aRunnerWithContainer()
    await canceled.within(async (runner) => {
      await dispatch(runner, message(canceled.jobId))
      await runner.cancel(canceled.jobId)
      await eventually(() => expect(fake.running).toBe(false))
    })
    expect(fake.paths()).toContain('/jobs/cancel')

    const lost = await aRunnerWithContainer()
    await lost.within(async (runner) => {
      await dispatch(runner, message(lost.jobId))
      advanceSeconds(61)
      await runner.alarm()
    })
    expect(fake.running).toBe(false)
    expect(await videoRow(lost.videoId)).toMatchObject({ status: 'queued' })
  })
})

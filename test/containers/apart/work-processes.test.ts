import { describe, expect, it, onTestFinished } from 'vitest'
import type { LinkedModels } from '../../../containers/apart/model-relay.ts'
import type { WorkLimits } from '../../../containers/apart/work-process.ts'
import { WorkProcesses } from '../../../containers/apart/work-processes.ts'
import { JobError, JobStop } from '../../../containers/errors/job-error.ts'
import type { Answered, ModelLink, Numbered } from '../../../containers/models/model-thread.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { eventually } from '../../support/node/eventually.ts'
import type { OddTask } from '../../support/containers/odd-work.ts'

const mebibyte = 1024 * 1024
const limits: WorkLimits = {
  memoryBytes: 400 * mebibyte,
  loadMs: 30_000,
  silentMs: 30_000,
  stopMs: 500,
  pollMs: 20,
}

type Answer = { pid: number; setup: string; folder: string; cwd: string; env: object }

function someProcesses(
  changes: Partial<WorkLimits> = {},
  { models = new Map(), setup = 'a secret' }: { models?: LinkedModels; setup?: string } = {},
) {
  const processes = new WorkProcesses<string, OddTask, string, Answer>({
    entry: new URL('../../support/containers/odd-work.ts', import.meta.url),
    setup,
    models,
    most: 1,
    keptBytes: 300 * mebibyte,
    limits: { ...limits, ...changes },
    env: { PATH: process.env['PATH'] },
  })
  onTestFinished(() => processes.close())
  const controller = new AbortController()
  return {
    controller,
    work: async (task: OddTask, onTold: (told: string) => void = () => undefined) =>
      processes.work({ task, folder: await aFolder(), signal: controller.signal, onTold }),
  }
}

/** The processor must be free for others while a process does its worst. */
async function longestPauseMs(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  await work.catch(() => undefined)
  clearInterval(timer)
  return longest
}

describe('WorkProcesses', () => {
  it('does a task in its folder, in another process that has none of our environment', async () => {
    const told: string[] = []
    const { work } = someProcesses()
    const { pid, setup, folder, cwd, env } = await work('answer', (what) => told.push(what))
    expect(pid).not.toBe(process.pid)
    expect(cwd).toBe(folder)
    expect(setup).toBe('a secret')
    expect(Object.keys(env)).not.toContain('HOME')
    expect(JSON.stringify(env)).not.toContain('a secret')
    expect(told).toEqual(['begun'])
  })

  it('uses the same process for the next task', async () => {
    const { work } = someProcesses()
    expect((await work('answer')).pid).toBe((await work('answer')).pid)
  })

  it('passes on how the work failed', async () => {
    const { work } = someProcesses()
    const error = await work('fail').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(JobError)
    expect(error).toMatchObject({
      reason: 'element_unusable',
      message: 'captions: they cannot be read.',
      retryable: false,
    })
  })

  it('counts a crash as a fault that another attempt may not have, and goes on', async () => {
    const { work } = someProcesses()
    await expect(work('crash')).rejects.toMatchObject({ reason: 'internal', retryable: true })
    expect((await work('answer')).setup).toBe('a secret')
  })

  it('ends work that never lets go of its thread, names it, and is free all the while', async () => {
    const { work } = someProcesses({ silentMs: 700 })
    const working = work('loop')
    working.catch(() => undefined)
    expect(await longestPauseMs(working)).toBeLessThan(500)
    await expect(working).rejects.toMatchObject({
      reason: 'out_of_time',
      retryable: false,
      message: 'captions.font: setting it took too long, and was ended after 1 seconds.',
    })
  })

  it('lets a process load for longer than one that works may be silent', async () => {
    const { work } = someProcesses({ silentMs: 700 }, { setup: 'slow to load' })
    expect((await work('answer')).setup).toBe('slow to load')
  })

  it('ends a process that does not load in time, which another attempt may', async () => {
    const { work } = someProcesses({ loadMs: 10 })
    await expect(work('answer')).rejects.toMatchObject({
      reason: 'out_of_resources',
      retryable: true,
      message: 'The media worker is too busy to begin the processing.',
    })
  })

  it('ends a step that takes longer than it may', async () => {
    const { work } = someProcesses()
    await expect(work('dawdle')).rejects.toMatchObject({
      reason: 'out_of_time',
      message: 'captions: reading them took too long, and was ended after 0 seconds.',
    })
  })

  it.each(['buffers', 'wasm', 'heap'] as const)(
    'ends work that fills the memory with %s, and names it',
    async (where) => {
      const { work } = someProcesses()
      await expect(work({ hoard: where })).rejects.toMatchObject({
        reason: 'out_of_resources',
        retryable: false,
        message: 'captions.font: setting it needs more than 419,430,400 bytes of memory.',
      })
      expect((await work('answer')).setup).toBe('a secret')
    },
  )

  it('lets work end by itself when it is stopped, and keeps the process', async () => {
    const { work, controller } = someProcesses()
    const { pid } = await work('answer')
    const stopped = work('wait', () => controller.abort(new JobStop('canceled')))
    await expect(stopped).rejects.toMatchObject({ stopReason: 'canceled' })
    expect(process.kill(pid, 0)).toBe(true)
  })

  it('kills work that does not end when it is stopped', async () => {
    const { work, controller } = someProcesses()
    const { pid } = await work('answer')
    let stoppedAt = Infinity
    const stopped = work('loop', () => {
      stoppedAt = performance.now()
      controller.abort(new JobStop('canceled'))
    })
    await expect(stopped).rejects.toMatchObject({ stopReason: 'canceled' })
    expect(performance.now() - stoppedAt).toBeLessThan(2_000)
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })

  it('asks the models of this process, hears how far they are, counts their time, and withdraws what a dead process asked', async () => {
    const withdrawn: Numbered[] = []
    let isDeaf = false
    const doubler: ModelLink<Answered> = {
      ask(question, _, onShare) {
        const { number } = question(7) as unknown as { number: number }
        const given = Promise.resolve().then(() => {
          onShare?.(0.5)
          return { id: 7, doubled: number * 2, processorMs: 250 }
        })
        const answer = isDeaf ? new Promise<never>(() => undefined) : given
        return { id: 7, answer, tell: (message) => withdrawn.push(message) }
      },
      close: async () => undefined,
    }
    const { work } = someProcesses({}, { models: new Map([['doubler', doubler]]) })
    const told: string[] = []
    expect(await work('ask', (what) => told.push(what))).toEqual({ doubled: 42, spentMs: 250 })
    expect(told).toEqual(['0.5 is done'])
    expect(withdrawn).toEqual([])
    isDeaf = true
    await expect(work('ask and crash')).rejects.toMatchObject({ reason: 'internal' })
    expect(withdrawn).toEqual([{ id: 7, type: 'cancel' }])
  })
})

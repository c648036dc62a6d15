import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ranOutOfDisk } from '../../../containers/errors/job-error.ts'
import { JobSlots } from '../../../containers/slots/job-slots.ts'
import { aJob } from '../../support/containers/a-job.ts'

const trace = () => ({ phases: [], commands: [] })
const tellPlace = () => undefined
const oneSlot = { slots: 1, fetching: 0 }

it('JobSlots.offer accepts the next job when the work of one is done, even if its last report has no answer yet', async () => {
  const work = Promise.withResolvers<void>()
  const report = Promise.withResolvers<void>()
  const slots = new JobSlots(oneSlot, () => ({
    worked: work.promise,
    done: report.promise,
    trace,
    tellPlace,
    msLeft: () => 0,
    diskBytes: async () => 0,
  }))
  const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
  expect(slots.offer(job)).toBe('accepted')
  expect(slots.offer({ ...job, jobId: 'j_next' })).toBe('busy')
  work.resolve()
  await work.promise
  expect(slots.offer(job)).toBe('accepted')
  expect(slots.running).toBe(0)
  expect(slots.offer({ ...job, jobId: 'j_next' })).toBe('accepted')
  expect(slots.running).toBe(1)
})

describe('JobSlots on a disk that fills up', () => {
  const ranOut = ranOutOfDisk()

  it('accepts no job below the reserve, and the next one when there is room again', () => {
    let hasDisk = false
    const slots = new JobSlots(oneSlot, () => idle(0), { hasDisk: () => hasDisk })
    const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
    expect(slots.offer(job)).toBe('busy')
    hasDisk = true
    expect(slots.offer(job)).toBe('accepted')
  })

  it('ends the job first that has most on the disk, and no job twice', async () => {
    const ends = new Map<string, unknown>()
    const sizes: Record<string, number> = { j_small: 1, j_large: 3, j_medium: 2 }
    const slots = new JobSlots({ slots: 3, fetching: 0 }, ({ jobId }, { controller }) => {
      controller.signal.addEventListener('abort', () => ends.set(jobId, controller.signal.reason))
      return idle(sizes[jobId] ?? 0)
    })
    for (const jobId of Object.keys(sizes)) {
      const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
      expect(slots.offer({ ...job, jobId, account: jobId })).toBe('accepted')
    }
    await slots.endLargest(ranOut)
    await slots.endLargest(ranOut)
    expect([...ends]).toEqual([
      ['j_large', ranOut],
      ['j_medium', ranOut],
    ])
  })

  function idle(diskBytes: number) {
    const forever = new Promise<void>(() => undefined)
    return {
      ...{ worked: forever, done: forever, trace, tellPlace, msLeft: () => 0 },
      diskBytes: async () => diskBytes,
    }
  }
})

describe('JobSlots.close', () => {
  function aSlot(msLeft: number | (() => number)) {
    let finish: () => void = () => undefined
    let controller: AbortController | undefined
    const slots = new JobSlots(oneSlot, (_job, given) => {
      controller = given.controller
      const done = new Promise<void>((resolve) => {
        finish = resolve
        given.controller.signal.addEventListener('abort', () => resolve())
      })
      return {
        worked: done,
        done,
        trace,
        tellPlace,
        msLeft: typeof msLeft === 'number' ? () => msLeft : msLeft,
        diskBytes: async () => 0,
      }
    })
    const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
    expect(slots.offer(job)).toBe('accepted')
    return { slots, job, finish: () => finish(), stopped: () => controller?.signal.aborted }
  }

  it('lets jobs finish that can within the time, and accepts no more', async () => {
    const { slots, job, finish, stopped } = aSlot(5_000)
    const closed = slots.close('shutdown', 30_000)
    expect(slots.offer({ ...job, jobId: 'j_other' })).toBe('busy')
    finish()
    await closed
    expect(stopped()).toBe(false)
    expect(slots.running).toBe(0)
  })

  it('ends jobs that would take longer at once', async () => {
    const { slots, stopped } = aSlot(30_000)
    await slots.close('shutdown', 30_000)
    expect(stopped()).toBe(true)
  })

  it('ends a job that should have finished when the time is over or at a second request', async () => {
    const late = aSlot(5)
    await late.slots.close('shutdown', 10)
    expect(late.stopped()).toBe(true)
    const hurried = aSlot(5_000)
    const patient = hurried.slots.close('shutdown', 60_000)
    await hurried.slots.close('shutdown')
    await patient
    expect(hurried.stopped()).toBe(true)
  })

  it('ends a job as soon as it turns out to take too long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let msLeft = Infinity
    const { slots, stopped } = aSlot(() => msLeft)
    const closed = slots.close('shutdown', 840_000)
    vi.advanceTimersByTime(60_000)
    expect(stopped()).toBe(false)
    msLeft = 790_000
    vi.advanceTimersByTime(1_000)
    await closed
    expect(stopped()).toBe(true)
  })

  it('keeps a job of unknown length if there is much time, and ends it if there is little', async () => {
    const long = aSlot(Infinity)
    const closed = long.slots.close('shutdown', 840_000)
    expect(long.stopped()).toBe(false)
    long.finish()
    await closed
    const short = aSlot(Infinity)
    await short.slots.close('shutdown', 30_000)
    expect(short.stopped()).toBe(true)
  })
})

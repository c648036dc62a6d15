import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { JobSlots } from '../../../containers/slots/job-slots.ts'
import { aJob } from '../../support/containers/a-job.ts'

const trace = () => ({ phases: [], commands: [] })
const tellPlace = () => undefined
const oneSlot = { slots: 1, fetching: 0 }

describe('JobSlots.offer', () => {
  it('accepts the next job when the work of one is done, even if its last report has no answer yet', async () => {
    const work = Promise.withResolvers<void>()
    const report = Promise.withResolvers<void>()
    const slots = new JobSlots(oneSlot, () => ({
      worked: work.promise,
      done: report.promise,
      trace,
      tellPlace,
      msLeft: () => 0,
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

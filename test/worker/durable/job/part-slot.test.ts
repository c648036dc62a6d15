import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PartJob } from '../../../../worker/contract/job/part-job.ts'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import { PartSlot } from '../../../../worker/durable/job/part-slot.ts'
import { OwnContainer } from '../../../../worker/durable/media-workers/own-container.ts'
import { readSettings } from '../../../../worker/settings.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { stopTheClock } from '../../../support/worker/clock.ts'
import { FakeContainer } from '../../../support/worker/platform/fake-container.ts'
import { aPartSpec } from '../../../support/worker/film.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'

stopTheClock()
standInMediaWorkers()

const jobId = 'j_0123456789abcdef'
const aPart = (n: number): PartJob => ({
  ...{ kind: 'part', version: 1, jobId, account: 'a_1', fence: 3, n, try: 1 },
  ...{ spec: aPartSpec(n), files: [] },
  reports: { url: 'http://spool.test/reports', key: 'k', heartbeatSeconds: 1 },
})

let fake: FakeContainer
const lead = { hasSlot: vi.fn(async () => true), slotStopped: vi.fn(async () => undefined) }
beforeEach(() => {
  fake = new FakeContainer()
  lead.hasSlot.mockResolvedValue(true)
  lead.slotStopped.mockClear()
})

/** The slot in an object whose alarm the test rings itself. */
async function within<Value>(work: (slot: PartSlot) => Promise<Value>): Promise<Value> {
  const stub = jobRunner(bindings, `${jobId}:0`)
  return runInDurableObject(stub, async (_, { storage }) => {
    vi.spyOn(storage, 'setAlarm').mockResolvedValue()
    vi.spyOn(storage, 'deleteAlarm').mockResolvedValue()
    const container = new OwnContainer(fake.asContainer(), readSettings(bindings), {
      onStopped: () => void slot.stopped(),
      onStart: () => undefined,
      pause: async () => fake.passTime(),
    })
    const slot: PartSlot = new PartSlot(container, storage, () => lead)
    return work(slot)
  })
}

describe('the container of a borrowed slot', () => {
  it('is started once and takes one part after the other', async () => {
    await within(async (slot) => {
      expect(await slot.carry(aPart(0), 0)).toBe('taken')
      expect(await slot.carry(aPart(1), 0)).toBe('taken')
      await slot.stop({ jobId, fence: 3, n: 1, try: 1 })
      await slot.release()
    })
    expect(fake.started).toHaveLength(1)
    const asked = fake.paths().filter((path) => path !== '/health')
    expect(asked).toEqual(['/jobs', '/jobs', '/jobs/cancel'])
    expect(fake.running).toBe(false)
  })

  it('says when none is there, which ends nothing', async () => {
    fake.refusal = new Error('no instance')
    expect(await within(async (slot) => slot.carry(aPart(0), 0))).toBe('busy')
  })

  it('tells the job when it stops by itself', async () => {
    await within(async (slot) => {
      await slot.carry(aPart(0), 4)
      fake.die()
      await vi.waitFor(() => expect(lead.slotStopped).toHaveBeenCalledWith(3, 4))
    })
  })

  it('ends when the job does not have the slot any more, and leaves nothing in its object', async () => {
    await within(async (slot) => {
      await slot.carry(aPart(0), 0)
      await slot.look()
      expect(fake.running).toBe(true)
      lead.hasSlot.mockResolvedValue(false)
      await slot.look()
      expect(fake.running).toBe(false)
      expect(slot.isOne).toBe(false)
    })
  })
})

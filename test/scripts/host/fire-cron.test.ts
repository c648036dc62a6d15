import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fireCron } from '../../../scripts/host/fire-cron.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('fireCron runs every minute, and on request, whether or not the run before failed', async () => {
  const faults: string[] = []
  let runs = 0
  const run = async () => {
    runs++
    if (runs === 2) throw new Error('The database is locked')
  }
  const cron = fireCron(run, (fault) => void faults.push(fault))
  expect(runs).toBe(0)
  cron.now()
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(faults).toEqual(['The database is locked'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(3)
  cron.stop()
  expect(vi.getTimerCount()).toBe(0)
})

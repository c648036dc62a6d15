import { describe, expect, it } from 'vitest'
import { mutations } from '../../simulation/mutations/mutation-list.ts'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { shrink } from '../../simulation/runs/shrink.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

const planted = mutations.filter(({ name }) => name === 'a job does not end with its video')

describe('a history that breaks a promise', () => {
  it('is made smaller, and what is left breaks the same promise again', async () => {
    const started = await startProgram(planted)
    const asked = { seed: 7, days: 0.2 }
    const failed = await runSeed(started, asked)
    expect(failed.broken[0]).toMatch(/ended at different times/)

    const limits = { mostRuns: 30, untilMs: Date.now() + 120_000 }
    const { faults, orders } = await shrink(started, asked, failed, limits)
    expect(faults.length).toBeLessThanOrEqual(failed.faults.length)
    expect(orders).toHaveLength(1)

    const only = { faults: new Set(faults), orders: new Set(orders) }
    const again = await runSeed(started, { ...asked, only })
    expect(again.broken[0]).toMatch(/ended at different times/)
  })
})

import { describe, expect, it } from 'vitest'
import { runSeed, type Asked } from '../../simulation/runs/run-seed.ts'
import { plantedWith } from '../../simulation/runs/run-mutations.ts'
import { shrink } from '../../simulation/runs/shrink.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'
import { campaign } from '../support/node/campaign.ts'

/** Plants a fault, makes the history of its failure smaller, and runs what is left once more. */
async function shrunk(name: string, asked: Asked) {
  const started = await startProgram(plantedWith(name))
  const all = await runSeed(started, asked)
  const limits = { mostRuns: 60, untilMs: Date.now() + 600_000 }
  const { faults, orders } = await shrink(started, asked, all, limits)
  const only = { faults: new Set(faults), orders: new Set(orders) }
  return { all, faults, orders, again: await runSeed(started, { ...asked, only }) }
}

describe('a history that breaks a promise', () => {
  it('needs neither a fault nor an order if every video breaks it', async () => {
    const asked = { seed: 9, days: 0.05 }
    const { faults, orders, again } = await shrunk('a job does not end with its video', asked)
    expect({ faults, orders }).toEqual({ faults: [], orders: [] })
    expect(again.broken[0]).toMatch(/ended at different times/)
  })

  campaign('keeps the faults and the orders that it needs', async () => {
    const asked = { seed: 3, days: 1 }
    const { all, faults, orders, again } = await shrunk('two offers carry the same claim', asked)
    expect(all.broken[0]).toMatch(/both work at/)
    expect(faults.length).toBeLessThan(all.faults.length)
    expect(orders.length).toBeLessThan(all.orders)
    expect(again.broken[0]).toMatch(/both work at/)
  })
})

import { describe, expect, it } from 'vitest'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

/** A few hours: enough for storms, orders, and the calm days after them. */
const days = 0.2

describe('the simulated world', () => {
  it('has the same history for the same seed, to the byte', async () => {
    const first = await runSeed(await startProgram(), { seed: 7, days, keepsHistory: true })
    const second = await runSeed(await startProgram(), { seed: 7, days, keepsHistory: true })
    expect(second.lines).toEqual(first.lines)
    expect(second.hash).toBe(first.hash)
    expect(first.faults.length).toBeGreaterThan(0)
  })

  it('has the same history after another world in the same process', async () => {
    const started = await startProgram()
    const alone = await runSeed(started, { seed: 3, days })
    await runSeed(started, { seed: 4, days })
    expect((await runSeed(started, { seed: 3, days })).hash).toBe(alone.hash)
  })

  it('has another history for another seed', async () => {
    const started = await startProgram()
    const one = await runSeed(started, { seed: 1, days })
    expect((await runSeed(started, { seed: 2, days })).hash).not.toBe(one.hash)
  })

  it('leaves out what is not among the faults that may strike', async () => {
    const started = await startProgram()
    const all = await runSeed(started, { seed: 7, days })
    const only = { faults: new Set(all.faults.slice(0, 1).map(({ id }) => id)), orders: undefined }
    const one = await runSeed(started, { seed: 7, days, only })
    expect(one.faults.map(({ id }) => id)).toEqual([...only.faults])
  })
})

import { describe, expect, it } from 'vitest'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { runSideBySide } from '../../simulation/runs/run-side-by-side.ts'
import { readSettings } from '../../simulation/runs/settings.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

/** A few hours: enough for storms, orders, and the calm days after them. */
const days = 0.1

describe('the simulated world', () => {
  it('has the same history for the same seed, to the byte, also after another world', async () => {
    const first = await runSeed(await startProgram(), { seed: 7, days, keepsHistory: true })
    const started = await startProgram()
    const other = await runSeed(started, { seed: 8, days })
    const second = await runSeed(started, { seed: 7, days, keepsHistory: true })
    expect(second.lines).toEqual(first.lines)
    expect(second.hash).toBe(first.hash)
    expect(other.hash).not.toBe(first.hash)
    expect(first.faults.length).toBeGreaterThan(0)
    const told: string[] = []
    const settings = readSettings(['--seed', '7', '--days', `${days}`])
    await runSideBySide(settings, (line) => told.push(line))
    expect(told.join()).toContain(`history ${first.hash.slice(0, 16)}`)
  })

  it('leaves out what is not among the faults that may strike', async () => {
    const started = await startProgram()
    const all = await runSeed(started, { seed: 7, days })
    const only = { faults: new Set(all.faults.slice(0, 1).map(({ id }) => id)), orders: undefined }
    const one = await runSeed(started, { seed: 7, days, only })
    expect(one.faults.map(({ id }) => id)).toEqual([...only.faults])
  })
})

import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { runSideBySide } from '../../simulation/runs/run-side-by-side.ts'
import { readSettings } from '../../simulation/runs/settings.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

/** A few hours: enough for storms, orders, and the calm days after them. */
const days = 0.1
/** Neither world has a probe or the many questions at its end, which take as long as all the rest. */
const [seed, otherSeed] = [9, 12]

describe('the simulated world', () => {
  let started: Awaited<ReturnType<typeof startProgram>>
  beforeAll(async () => {
    started = await startProgram()
  })

  it('has the same history for the same seed, to the byte, also after another world, and leaves out what is not among the faults that may strike', async () => {
    const told: string[] = []
    const settings = readSettings(['--seed', `${seed}`, '--days', `${days}`])
    const elsewhere = runSideBySide(settings, (line) => told.push(line))
    const other = await runSeed(started, { seed: otherSeed, days })
    const own = await runSeed(started, { seed, days, keepsHistory: true })
    await elsewhere
    const text = own.lines.map((line) => `${line}\n`).join('')
    expect(createHash('sha256').update(text).digest('hex')).toBe(own.hash)
    expect(told.join()).toContain(`history ${own.hash.slice(0, 16)}`)
    expect(other.hash).not.toBe(own.hash)
    expect(own.faults.length).toBeGreaterThan(0)
    const only = { faults: new Set(own.faults.slice(0, 1).map(({ id }) => id)), orders: undefined }
    const one = await runSeed(started, { seed, days, only })
    expect(one.faults.map(({ id }) => id)).toEqual([...only.faults])
  })
})

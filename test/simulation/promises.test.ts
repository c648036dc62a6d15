import { describe, expect, it } from 'vitest'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

describe('a day of bad luck', () => {
  it('breaks no promise, with any of a few seeds', async () => {
    const started = await startProgram()
    for (const seed of [1, 2, 3, 4]) {
      const { broken } = await runSeed(started, { seed, days: 1 })
      expect({ seed, broken }).toEqual({ seed, broken: [] })
    }
  })

  it('breaks no promise, with any of 200 seeds', { tags: 'campaign' }, async () => {
    const started = await startProgram()
    for (let seed = 1_000; seed < 1_200; seed++) {
      const { broken } = await runSeed(started, { seed, days: 1 })
      expect({ seed, broken }).toEqual({ seed, broken: [] })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'

async function expectKept(first: number, count: number): Promise<void> {
  const started = await startProgram()
  for (let seed = first; seed < first + count; seed++) {
    const { broken } = await runSeed(started, { seed, days: 1 })
    expect({ seed, broken }).toEqual({ seed, broken: [] })
  }
}

describe('a day of bad luck', () => {
  it('breaks no promise, with two seeds', async () => {
    await expectKept(1, 2)
  })

  it('breaks no promise, with further seeds', { tags: 'campaign' }, async () => {
    await expectKept(1_000, 3)
  })
})

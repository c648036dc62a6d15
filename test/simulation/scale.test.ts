import { describe, expect, it } from 'vitest'
import { mostOff } from '../../simulation/scale/compare.ts'
import { scaleSeed, simulateScale } from '../../simulation/runs/run-scale.ts'

const patienceMs = 1_800_000

describe('a day in which nothing fails', () => {
  it(
    'uses what the model of docs/operators/scale.md says, and waits as long',
    { tags: 'campaign', timeout: patienceMs },
    async () => {
      const day = { videos: 2_000, accounts: 50, seed: scaleSeed, until: 24 }
      const { odd, broken, compared } = await simulateScale(day, () => undefined)
      expect({ odd, broken }).toEqual({ odd: [], broken: [] })
      expect(compared.filter(({ off }) => Math.abs(off) > mostOff)).toEqual([])
      expect(compared.length).toBeGreaterThan(15)
    },
  )
})

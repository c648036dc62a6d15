import { describe, expect, it } from 'vitest'
import { mostOff } from '../../simulation/scale/compare.ts'
import { scaleSeed, simulateScale } from '../../simulation/runs/run-scale.ts'

const patienceMs = 1_800_000

describe('a day in which nothing fails', () => {
  it(
    'asks of the database what the model of docs/operators/scale.md says, and no video waits for long',
    { tags: 'campaign', timeout: patienceMs },
    async () => {
      const day = { videos: 2_000, accounts: 50, seed: scaleSeed, until: 24 }
      const { videos, waits, odd, broken, compared } = await simulateScale(day, () => undefined)
      expect({ odd, broken }).toEqual({ odd: [], broken: [] })
      expect(compared.filter(({ off }) => Math.abs(off) > mostOff)).toEqual([])
      // In two windows: statements, rows read, rows written, and the sweep.
      expect(compared).toHaveLength(8)
      expect(waits).toHaveLength(videos)
      // A container fetches its image during the rollout, and an attempt may be lost.
      expect(waits.at(-1)).toBeLessThan(60)
    },
  )
})

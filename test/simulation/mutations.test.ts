import { describe, expect, it } from 'vitest'
import { mutations } from '../../simulation/mutations/mutation-list.ts'
import { runSeed } from '../../simulation/runs/run-seed.ts'
import { startProgram } from '../../simulation/runs/start-program.ts'
import { campaignAfter } from '../support/node/campaign-after.ts'

const mostSeeds = 60

describe('a fault that is planted into the service', () => {
  for (const [index, mutation] of mutations.entries()) {
    it(`is found: ${mutation.name}`, { tags: campaignAfter(2, index) }, async () => {
      const started = await startProgram([mutation])
      const { days = 1, seed: first = 1 } = mutation
      for (let seed = first; seed < first + mostSeeds; seed++) {
        const { broken } = await runSeed(started, { seed, days })
        if (broken.length > 0) return
      }
      expect.unreachable(`${mostSeeds} seeds found nothing`)
    })
  }
})

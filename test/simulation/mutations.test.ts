import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/machine/checkout.ts'
import { mutations } from '../../simulation/mutations/mutation-list.ts'
import { findPlanted } from '../../simulation/runs/run-mutations.ts'
import { campaignAfter } from '../support/node/campaign.ts'

/** `npm run simulate -- --mutations` looks for all of them. */
const some = mutations.filter((_, index) => index % 16 === 0)
const mostSeeds = 20

describe('a fault that is planted into the service', () => {
  it('has one place where it is planted', () => {
    const lost = mutations.filter(
      ({ file, find }) => readFileSync(path.join(root, file), 'utf8').split(find).length !== 2,
    )
    expect(lost.map(({ name }) => name)).toEqual([])
  })

  for (const [index, planted] of some.entries()) {
    it(`is found: ${planted.name}`, { tags: campaignAfter(1, index) }, async () => {
      expect(await findPlanted(planted, mostSeeds)).toBeDefined()
    })
  }
})

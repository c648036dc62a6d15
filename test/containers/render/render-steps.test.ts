import { describe, expect, it } from 'vitest'
import {
  encodingReads,
  finishingReads,
  renderSteps,
  type AllRead,
} from '../../../containers/render/render-steps.ts'
import { optionsSchema, type OptionName } from '../../../worker/contract/options.ts'

describe('AllRead', () => {
  it('does not compile while the schema has an option that nobody reads', () => {
    const isRead: AllRead<'combine' | 'rotate', 'combine' | 'rotate'> = true
    // @ts-expect-error Nobody reads `rotate`.
    const isUnread: AllRead<'combine' | 'rotate', 'combine'> = true
    expect([isRead, isUnread]).toEqual([true, true])
  })

  it('finds each option of the real schema read by somebody', () => {
    const names = new Set<OptionName>([
      ...renderSteps.flatMap((step): readonly OptionName[] => step.reads),
      ...encodingReads,
      ...finishingReads,
    ])
    expect([...names].sort()).toEqual([...optionsSchema.keyof().options].sort())
  })
})

describe('renderSteps', () => {
  it('begins with joining, on whose timeline everything else stands', () => {
    expect(renderSteps[0].name).toBe('join-sources')
  })
})

import { describe, expect, it } from 'vitest'
import {
  appliedOptions,
  notYetApplied,
  renderSteps,
  type Unaccounted,
} from '../../../containers/render/render-steps.ts'
import { optionsSchema, type OptionName } from '../../../worker/contract/options.ts'

type Is<Names, Expected> = [Names] extends [Expected]
  ? [Expected] extends [Names]
    ? true
    : false
  : false

describe('Unaccounted', () => {
  it('names an option that the schema grew and nobody reads', () => {
    const isNamed: Is<Unaccounted<'combine' | 'rotate', 'combine', never>, 'rotate'> = true
    // @ts-expect-error All is well only when nothing is left over.
    const isFine: Is<Unaccounted<'combine' | 'rotate', 'combine', never>, never> = true
    expect([isNamed, isFine]).toEqual([true, true])
  })

  it('names an option that is both read and listed as not applied', () => {
    const isNamed: Is<Unaccounted<'combine', 'combine', 'combine'>, 'combine'> = true
    expect(isNamed).toBe(true)
  })

  it('accounts for each option of the real schema once', () => {
    const names: OptionName[] = [...appliedOptions, ...notYetApplied]
    expect(names.sort()).toEqual([...optionsSchema.keyof().options].sort())
  })
})

describe('renderSteps', () => {
  it('begins with joining, on whose timeline everything else stands', () => {
    expect(renderSteps[0].name).toBe('join-sources')
  })
})

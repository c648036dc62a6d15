import { describe, expect, it } from 'vitest'
import { isOutlasted } from '../../../../containers/render/elements/without-gaps.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'

describe('isOutlasted', () => {
  const of = ({ begin = 0, end = 4 }) =>
    isOutlasted(someFacts({ video: { beginSeconds: begin, endSeconds: end } }))

  it('notices sound before the first picture and after the last', () => {
    expect(of({})).toBe(false)
    expect(of({ begin: 1 })).toBe(true)
    expect(of({ end: 3 })).toBe(true)
  })

  it('overlooks what nobody sees, so that a variable rate stays', () => {
    expect(of({ end: 3.95 })).toBe(false)
    const steps = { beginSeconds: 0.05, hasConstantRate: false }
    expect(isOutlasted(someFacts({ video: steps }))).toBe(false)
    expect(isOutlasted(someFacts({ video: { ...steps, hasConstantRate: true } }))).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import {
  spanOf,
  withCut,
  withoutCut,
} from '../../../../worker/app/scripts/new-video/preview/strike-words.ts'

const words = [
  { startTime: 1, endTime: 1.4, text: 'Ask' },
  { startTime: 1.44, endTime: 1.8, text: 'not' },
  { startTime: 3, endTime: 3.5, text: 'what' },
]
const cut = (startTime: number, endTime: number) => ({ startTime, endTime })

describe('words that are struck out', () => {
  it('go with a little of the pause beside them, of which a neighbour keeps its half', () => {
    expect(spanOf(words, 0)).toEqual(cut(0.95, 1.42))
    expect(spanOf(words, 1)).toEqual(cut(1.42, 1.85))
    expect(spanOf(words, 2)).toEqual(cut(2.95, 3.55))
    expect(spanOf(words, 3)).toBeUndefined()
  })

  it('never go before the beginning, and never get a span that is turned round', () => {
    expect(spanOf([{ startTime: 0, endTime: 0.2, text: 'I' }], 0)).toEqual(cut(0, 0.25))
    const overlapping = [cut(1, 2), cut(1.5, 1.6)].map((word) => ({ ...word, text: 'so' }))
    expect(spanOf(overlapping, 1)).toEqual(cut(1.5, 1.65))
  })

  it('become one cut with those they touch, in the order of time', () => {
    expect(withCut([cut(5, 6)], cut(1, 2))).toEqual([cut(1, 2), cut(5, 6)])
    expect(withCut([cut(1, 2), cut(5, 6)], cut(2.1, 3))).toEqual([cut(1, 3), cut(5, 6)])
    expect(withCut([cut(1, 2), cut(2.5, 3)], cut(1.9, 2.6))).toEqual([cut(1, 3)])
  })

  it('come back without what is around them', () => {
    expect(withoutCut([cut(1, 3)], cut(1.5, 2))).toEqual([cut(1, 1.5), cut(2, 3)])
    expect(withoutCut([cut(1, 3), cut(5, 6)], cut(0.9, 3.05))).toEqual([cut(5, 6)])
    expect(withoutCut([cut(1, 3)], cut(1.05, 2))).toEqual([cut(2, 3)])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  keptSpans,
  mergeSpans,
  spansBeforeCuts,
  type FrameSpan,
} from '../../../containers/timeline/frame-spans.ts'
import { seeded } from '../../support/node/seeded.ts'
import { totalLength } from '../../../containers/numbers/spans.ts'

const total = 60
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: total + 20 }), fc.integer({ min: 0, max: 30 }))
    .map(([from, length]) => ({ from, to: from + length })),
  { maxLength: 12 },
)

/** The slow and obvious way: frame by frame. */
function framesOf(list: readonly FrameSpan[]): number[] {
  return Array.from({ length: total }, (_, n) => n).filter((n) =>
    list.some(({ from, to }) => n >= from && n < to),
  )
}

describe('mergeSpans', () => {
  it('sorts spans, joins them and limits them to the video', () => {
    const merged = mergeSpans(
      [
        { from: 50, to: 90 },
        { from: 5, to: 8 },
        { from: 0, to: 5 },
        { from: 20, to: 20 },
      ],
      total,
    )
    expect(merged).toEqual([
      { from: 0, to: 8 },
      { from: 50, to: 60 },
    ])
  })

  it('covers the same frames, however the spans are given', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const merged = mergeSpans(list, total)
        expect(framesOf(merged)).toEqual(framesOf(list))
        expect(totalLength(merged) + totalLength(keptSpans(merged, total))).toBe(total)
      }),
      seeded(),
    )
  })
})

it('spansBeforeCuts finds the frames of the whole that a span in the rest means', () => {
  fc.assert(
    fc.property(spans, spans, (first, later) => {
      const removed = mergeSpans(first, total)
      const kept = keptSpans(removed, total)
      const left = framesOf(kept)
      const expected = left.filter((_, n) => !later.some(({ from, to }) => n >= from && n < to))
      const all = mergeSpans([...removed, ...spansBeforeCuts(later, kept)], total)
      expect(framesOf(keptSpans(all, total))).toEqual(expected)
    }),
    seeded(),
  )
})

import { expect, it } from 'vitest'
import { firstGap, isFlattened } from '../../../../containers/job/check/loudness-over-time.ts'

/** Four seconds of levels between loud and quiet. */
const speech = Float64Array.from({ length: 400 }, (_, i) => -25 + 15 * Math.sin(i / 20))
const never = () => false

it('finds short gaps in what has to be heard', () => {
  const loud = speech.map((level) => level + 10)
  const withGaps = loud.map((level, i) => (i % 50 < 8 ? -90 : level))
  expect(firstGap(withGaps, loud, never)).toBe(0)
  expect(firstGap(loud, loud, never)).toBeUndefined()
  // A single click is not a gap, and neither is what a fade explains.
  expect(firstGap(loud.with(100, -90), loud, never)).toBeUndefined()
  expect(firstGap(withGaps, loud, () => true)).toBeUndefined()
})

it('finds quiet parts that are not quiet any more', () => {
  expect(
    isFlattened(
      speech.map((level) => level + 12),
      speech,
    ),
  ).toBe(false)
  expect(
    isFlattened(
      speech.map((level) => -12 + level / 4),
      speech,
    ),
  ).toBe(true)
  expect(
    isFlattened(
      speech.map((level) => Math.max(level, -24)),
      speech,
    ),
  ).toBe(true)
})

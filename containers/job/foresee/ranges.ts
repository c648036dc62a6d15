import type { Likely } from '../../../worker/contract/job/foresight.ts'

/** Four of five are within this many standard deviations. */
const fourOfFive = 1.28

/** A value whose logarithm has this standard deviation. */
export function around(value: number, spread: number): Likely {
  const wide = Math.exp(fourOfFive * spread)
  return { likely: value, least: value / wide, most: value * wide }
}

/** What becomes of a value or a range if only a share of it is left. */
export function stretched(value: number | Likely, share: Likely): Likely {
  const { likely, least, most } = typeof value === 'number' ? around(value, 0) : value
  return { likely: likely * share.likely, least: least * share.least, most: most * share.most }
}

/** As many digits as mean something to a reader. */
export function rounded(range: Likely, digits: number): Likely {
  const round = (value: number) => Number(value.toFixed(digits))
  return { likely: round(range.likely), least: round(range.least), most: round(range.most) }
}

/** A range of two that may be at their ends together. */
export function added(one: Likely, other: Likely): Likely {
  return {
    likely: one.likely + other.likely,
    least: one.least + other.least,
    most: one.most + other.most,
  }
}

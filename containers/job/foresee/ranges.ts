import type { Likely } from '../../../worker/contract/job/foresight.ts'

/** Four of five values are within this many standard deviations. */
const fourOfFive = 1.28

/** The range of a value whose logarithm has this standard deviation. */
export function around(value: number, spread: number): Likely {
  const wide = Math.exp(fourOfFive * spread)
  return { likely: value, least: value / wide, most: value * wide }
}

/** The value or range if only a share of it is left. */
export function stretched(value: number | Likely, share: Likely): Likely {
  const { likely, least, most } = typeof value === 'number' ? around(value, 0) : value
  return { likely: likely * share.likely, least: least * share.least, most: most * share.most }
}

/** Rounds to as many digits as are meaningful to a reader. */
export function rounded(range: Likely, digits: number): Likely {
  const round = (value: number) => Number(value.toFixed(digits))
  return { likely: round(range.likely), least: round(range.least), most: round(range.most) }
}

/** The sum of two ranges that may both be at their ends. */
export function added(one: Likely, other: Likely): Likely {
  return {
    likely: one.likely + other.likely,
    least: one.least + other.least,
    most: one.most + other.most,
  }
}

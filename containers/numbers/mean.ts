/** The mean; 0 of no values. */
export function meanOf(values: ArrayLike<number> & Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / Math.max(1, values.length)
}

/** The median: of an even number of values the larger of the two in the middle; 0 of no values. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

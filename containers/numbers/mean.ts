/** The mean; 0 of no values. */
export function meanOf(values: ArrayLike<number> & Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / Math.max(1, values.length)
}

/** The median: of an even number of values the larger of the two in the middle; 0 of no values. */
export function medianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}

/** The value that comes most often, the first of several; 0 of no values. */
export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

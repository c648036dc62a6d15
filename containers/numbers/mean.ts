/** 0 of no values. */
export function meanOf(values: readonly number[] | Float32Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / Math.max(1, values.length)
}

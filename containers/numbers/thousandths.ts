/** Rounds seconds and shares to be shown: no measurement is accurate to more places. */
export function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

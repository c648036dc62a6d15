/** As seconds and shares are told: nothing that is measured is right to more places. */
export function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

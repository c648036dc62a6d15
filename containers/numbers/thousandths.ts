/** Rounds seconds and shares to be shown: no measurement is accurate to more places. */
export function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Rounds down, so that no time lies behind an end; a number that is off by its last bit counts as whole. */
export function thousandthsBelow(value: number): number {
  return Math.floor(value * 1_000 + 1e-6) / 1_000
}

/** Rounds up, so that no time lies before a beginning. */
export function thousandthsAbove(value: number): number {
  return Math.ceil(value * 1_000 - 1e-6) / 1_000
}

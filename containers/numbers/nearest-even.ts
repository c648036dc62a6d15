/** The nearest even number, because colours are stored for two pixels together: at least 2, and at most `most`. */
export function nearestEven(pixels: number, most = Number.POSITIVE_INFINITY): number {
  return Math.max(2, Math.min(most, Math.round(pixels / 2) * 2))
}

import type { FrameSpan } from './frame-spans.ts'

/**
 * An expression whose value changes this many times: `isBefore` says whether a change is still to come, `valueOf` gives the
 * value before it. It is a balanced tree: ffmpeg 5.1 cannot parse a sum of more than about 100 `between()` terms, while this
 * tree holds 5,000 cuts and takes logarithmic time per frame.
 */
export function stepExpression(
  changes: number,
  isBefore: (change: number) => string,
  valueOf: (step: number) => string,
): string {
  const branch = (first: number, last: number): string => {
    if (first === last) return valueOf(first)
    const middle = Math.floor((first + last) / 2)
    return `if(${isBefore(middle)},${branch(first, middle)},${branch(middle + 1, last)})`
  }
  return branch(0, changes)
}

/** An expression that is 1 in the kept parts, over the frame number `n`, or over `pts` if times are frame numbers. */
export function keepExpression(removed: readonly FrameSpan[], number: 'n' | 'pts' = 'n'): string {
  // The parts alternate: kept up to the first boundary, removed up to the second, and so on.
  const boundaries = removed.flatMap(({ from, to }) => [from, to])
  return stepExpression(
    boundaries.length,
    (i) => `lt(${number},${boundaries[i]})`,
    (i) => (i % 2 === 0 ? '1' : '0'),
  )
}

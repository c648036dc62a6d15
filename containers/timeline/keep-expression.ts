import type { FrameSpan } from './frame-spans.ts'

/**
 * An expression that is 1 in the kept parts, over the frame number `n`, or over `pts` where times are frame numbers. It is a balanced tree: ffmpeg 5.1 cannot parse a
 * sum of more than about 100 `between()` terms, while this tree holds 5,000 cuts and takes logarithmic time per frame.
 */
export function keepExpression(removed: readonly FrameSpan[], number: 'n' | 'pts' = 'n'): string {
  // The parts alternate: kept up to the first boundary, removed up to the second, and so on.
  const boundaries = removed.flatMap(({ from, to }) => [from, to])
  const branch = (first: number, last: number): string => {
    if (first === last) return first % 2 === 0 ? '1' : '0'
    const middle = Math.floor((first + last) / 2)
    return `if(lt(${number},${boundaries[middle]}),${branch(first, middle)},${branch(middle + 1, last)})`
  }
  return branch(0, boundaries.length)
}

import type { TokenPlace } from '../recogniser.ts'

/** The tokens from `from` on are said after `start`, until the next stretch or its end, in samples. */
export type SaidStretch = { readonly from: number; readonly start: number; readonly end: number }

/** Where a model does not show its attention: each token gets a share of its stretch, by its length in bytes. */
export function spreadTokens(
  lengths: readonly number[],
  stretches: readonly SaidStretch[],
): TokenPlace[] {
  return stretches.flatMap(({ from, start, end }, i) => {
    const share = lengths.slice(from, stretches[i + 1]?.from)
    const total = share.reduce((sum, length) => sum + length, 0)
    let before = 0
    return share.map((length) => {
      const at = start + ((end - start) * before) / Math.max(1, total)
      before += length
      return { start: at, peak: at + ((end - start) * length) / Math.max(1, total) / 2 }
    })
  })
}

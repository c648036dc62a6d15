import { inTurns } from './in-turns.ts'

/** Blocks from `from` up to but not including `to`. */
export type BlockRun = { readonly from: number; readonly to: number }

/** The maximal runs of blocks for which a condition holds. */
export async function runsOf(
  whole: BlockRun,
  isTrue: (block: number) => boolean,
): Promise<BlockRun[]> {
  const runs: BlockRun[] = []
  let start: number | undefined
  await inTurns(whole.to - whole.from, (first, last) => {
    for (let block = whole.from + first; block < whole.from + last; block++) {
      if (isTrue(block)) start ??= block
      else if (start !== undefined) {
        runs.push({ from: start, to: block })
        start = undefined
      }
    }
  })
  if (start !== undefined) runs.push({ from: start, to: whole.to })
  return runs
}

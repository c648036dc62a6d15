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

/** The gaps between runs that are in order and apart, within the whole. */
export function between(runs: readonly BlockRun[], whole: BlockRun): BlockRun[] {
  const starts = [whole.from, ...runs.map(({ to }) => to)]
  const ends = [...runs.map(({ from }) => from), whole.to]
  return starts
    .map((from, i) => ({ from, to: ends[i] ?? whole.to }))
    .filter(({ from, to }) => from < to)
}

/** Sorts runs and merges those that are this close to each other. */
export function merged(runs: readonly BlockRun[], nearness: number): BlockRun[] {
  const result: BlockRun[] = []
  for (const run of runs.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && run.from <= last.to + nearness) {
      result.splice(-1, 1, { from: last.from, to: Math.max(last.to, run.to) })
    } else result.push(run)
  }
  return result
}

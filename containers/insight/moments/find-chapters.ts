import type { Chapter } from '../../../worker/contract/job/report.ts'
import { chapterTitle } from './chapter-title.ts'
import type { Talk } from './talk.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { meanOf } from '../../numbers/mean.ts'

/** Players list no shorter ones. */
export const leastSeconds = 10
/** Of a long talk, about this many at most: more are a list that nobody reads. */
const usualMost = 24

/**
 * Parts a talk where its subject changes, each part from the start of a sentence. The first begins with the film, so that all of
 * it belongs to a chapter.
 */
export function findChapters(talk: Talk, durationSeconds: number): Chapter[] {
  const { sentences, breaks } = talk
  if (sentences.length === 0) return []
  const apart = Math.max(leastSeconds, durationSeconds / usualMost)
  const chosen: number[] = []
  const startOf = (i: number): number => sentences[i]?.startTime ?? 0
  const isFree = (i: number): boolean =>
    startOf(i) >= apart &&
    durationSeconds - startOf(i) >= apart &&
    chosen.every((other) => Math.abs(startOf(other) - startOf(i)) >= apart)
  for (const { i } of deepest(breaks)) if (isFree(i)) chosen.push(i)
  const starts = [0, ...chosen.toSorted((a, b) => a - b)]
  return starts.map((from, n) => ({
    startTime: n === 0 ? 0 : thousandths(startOf(from)),
    title: chapterTitle(sentences.slice(from, starts[n + 1]), talk),
  }))
}

/** Places whose valley is clearly deeper than is usual for this talk, the deepest first. */
function deepest(breaks: readonly number[]): { i: number; depth: number }[] {
  const depths = breaks.filter((depth) => depth > 0)
  const mean = meanOf(depths)
  const spread = Math.sqrt(meanOf(depths.map((depth) => (depth - mean) ** 2)))
  return breaks
    .map((depth, i) => ({ i, depth }))
    .filter(({ depth }) => depth > 0 && depth >= mean + spread / 2)
    .toSorted((a, b) => b.depth - a.depth || a.i - b.i)
}

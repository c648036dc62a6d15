import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { Place } from './find-phrase.ts'
import { quietEdge, type Grid } from './quiet-edge.ts'
import type { SpokenWord } from './spoken-words.ts'

/** A cut reaches at most this far into a word that stays: that much its times may be wrong. */
const mostInto = 0.06

/** Cuts words and nothing around them; undefined if their times are not known, or no picture is as short. */
export function cutPlace(
  words: readonly SpokenWord[],
  { first, last }: Place,
  grid: Grid,
): FrameSpan | undefined {
  const start = words[first]?.startTime
  const end = words[last]?.endTime
  if (start === undefined || end === undefined) return undefined
  const from = quietEdge(
    { at: start, least: endOf(words[first - 1]), most: middleOf(words[first]), side: 'begin' },
    grid,
  )
  const to = quietEdge(
    { at: end, least: middleOf(words[last]), most: beginOf(words[last + 1]), side: 'end' },
    grid,
  )
  return spanOf(from, to)
}

/** Cuts everything between two words that stay; without one of them, from the beginning or up to the end. */
export function cutBetween(
  words: readonly SpokenWord[],
  before: number | undefined,
  after: number | undefined,
  grid: Grid,
): FrameSpan | undefined {
  return spanOf(
    before === undefined ? 0 : edgeBehind(words, before, grid),
    after === undefined ? grid.totalFrames : edgeBefore(words, after, grid),
  )
}

function edgeBehind(words: readonly SpokenWord[], i: number, grid: Grid): number | undefined {
  const at = words[i]?.endTime
  if (at === undefined) return undefined
  const most = middleOf(words[i + 1], Infinity)
  return quietEdge({ at, least: endOf(words[i]), most, side: 'begin' }, grid)
}

function edgeBefore(words: readonly SpokenWord[], i: number, grid: Grid): number | undefined {
  const at = words[i]?.startTime
  if (at === undefined) return undefined
  const least = middleOf(words[i - 1], -Infinity)
  return quietEdge({ at, least, most: beginOf(words[i]), side: 'end' }, grid)
}

function spanOf(from: number | undefined, to: number | undefined): FrameSpan | undefined {
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

/** How early a cut may begin behind a word that stays. */
function endOf(word: SpokenWord | undefined): number {
  if (word?.endTime === undefined) return Number.NEGATIVE_INFINITY
  return word.endTime - intoOf(word)
}

/** How late a cut may end before a word that stays. */
function beginOf(word: SpokenWord | undefined): number {
  if (word?.startTime === undefined) return Number.POSITIVE_INFINITY
  return word.startTime + intoOf(word)
}

function intoOf({ startTime, endTime }: SpokenWord): number {
  const length = startTime === undefined || endTime === undefined ? mostInto : endTime - startTime
  return Math.min(mostInto, length / 3)
}

/** Of a word that goes, so that at least half of it does. */
function middleOf(word: SpokenWord | undefined, otherwise?: number): number {
  const { startTime, endTime } = word ?? {}
  if (startTime === undefined || endTime === undefined) {
    return otherwise ?? startTime ?? endTime ?? 0
  }
  return (startTime + endTime) / 2
}

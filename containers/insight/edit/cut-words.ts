import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { PhrasePlace } from './find-phrase.ts'
import { quietEdge, type LoudnessGrid } from './quiet-edge.ts'
import type { SpokenWord } from './spoken-words.ts'

/** A cut extends at most this far into a word that stays: its times may be wrong by that much. */
const mostInto = 0.06

/** Cuts words and nothing around them; undefined if their times are not known, or if they are shorter than a picture. */
export function cutPlace(
  words: readonly SpokenWord[],
  { first, last }: PhrasePlace,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  const from = beginBehind(words, first - 1, { at: words[first]?.startTime, grid })
  return spanOf(from, endBefore(words, last + 1, { at: words[last]?.endTime, grid }))
}

/** Cuts words and the pause behind them. */
export function cutUpToNext(
  words: readonly SpokenWord[],
  { first, last }: PhrasePlace,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  const from = beginBehind(words, first - 1, { at: words[first]?.startTime, grid })
  return spanOf(from, endBefore(words, last + 1, { at: words[last + 1]?.startTime, grid }))
}

/** Cuts everything between two words that stay; without one of them, from the beginning or up to the end. */
export function cutBetween(
  words: readonly SpokenWord[],
  before: number | undefined,
  after: number | undefined,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  const [begin, end] = [words[before ?? -1]?.endTime, words[after ?? -1]?.startTime]
  return spanOf(
    before === undefined ? 0 : beginBehind(words, before, { at: begin, grid }),
    after === undefined ? grid.totalFrames : endBefore(words, after, { at: end, grid }),
  )
}

/** About when a cut begins or ends. */
type CutAbout = { readonly at: number | undefined; readonly grid: LoudnessGrid }

/** Where a cut begins after a word that stays. */
function beginBehind(words: readonly SpokenWord[], i: number, { at, grid }: CutAbout) {
  if (at === undefined) return undefined
  const [least, most] = [endOf(words[i]), earlyIn(words[i + 1])]
  return quietEdge({ at, least, most, side: 'begin' }, grid)
}

/** Where a cut ends between a word that stays and the one before it. */
function endBefore(words: readonly SpokenWord[], i: number, { at, grid }: CutAbout) {
  if (at === undefined) return undefined
  const [least, most] = [lateIn(words[i - 1]), beginOf(words[i])]
  return quietEdge({ at, least, most, side: 'end' }, grid)
}

function spanOf(from: number | undefined, to: number | undefined): FrameSpan | undefined {
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

type HeardTimes = Pick<SpokenWord, 'startTime' | 'endTime'>

/** How early a cut may begin after a word that stays. */
export function endOf(word: HeardTimes | undefined): number {
  if (word?.endTime === undefined) return Number.NEGATIVE_INFINITY
  return word.endTime - intoOf(word)
}

/** How late a cut may end before a word that stays. */
export function beginOf(word: HeardTimes | undefined): number {
  if (word?.startTime === undefined) return Number.POSITIVE_INFINITY
  return word.startTime + intoOf(word)
}

function intoOf({ startTime, endTime }: HeardTimes): number {
  const length = startTime === undefined || endTime === undefined ? mostInto : endTime - startTime
  return Math.min(mostInto, length / 3)
}

/** At most this much of a removed word may remain at either end: more would be audible. Words are quiet inside, too. */
const mostLeft = 0.03

function earlyIn(word: SpokenWord | undefined): number {
  if (word?.startTime === undefined) return Number.POSITIVE_INFINITY
  return word.startTime + leftOf(word)
}

function lateIn(word: SpokenWord | undefined): number {
  if (word?.endTime === undefined) return Number.NEGATIVE_INFINITY
  return word.endTime - leftOf(word)
}

/** At least half of a word is cut, so that the transcript leaves it out. */
function leftOf({ startTime, endTime }: HeardTimes): number {
  const length = startTime === undefined || endTime === undefined ? mostLeft : endTime - startTime
  return Math.min(mostLeft, length / 4)
}

import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { PhrasePlace } from './find-phrase.ts'
import { quietEdge, type LoudnessGrid } from './quiet-edge.ts'
import type { SpokenWord } from './spoken-words.ts'

/** A cut reaches at most this far into a word that stays: that much its times may be wrong. */
const mostInto = 0.06

/** Cuts words and nothing around them; undefined if their times are not known, or no picture is as short. */
export function cutPlace(
  words: readonly SpokenWord[],
  { first, last }: PhrasePlace,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  const at = words[last]?.endTime
  if (at === undefined) return undefined
  const [least, most] = [lateIn(words[last]), beginOf(words[last + 1])]
  return spanOf(edgeAt(words, first, grid), quietEdge({ at, least, most, side: 'end' }, grid))
}

/** Cuts words and the pause behind them. */
export function cutUpToNext(
  words: readonly SpokenWord[],
  { first, last }: PhrasePlace,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  return spanOf(edgeAt(words, first, grid), edgeBefore(words, last + 1, grid))
}

/** Where a word begins that goes. */
function edgeAt(
  words: readonly SpokenWord[],
  first: number,
  grid: LoudnessGrid,
): number | undefined {
  const at = words[first]?.startTime
  if (at === undefined) return undefined
  const [least, most] = [endOf(words[first - 1]), earlyIn(words[first])]
  return quietEdge({ at, least, most, side: 'begin' }, grid)
}

/** Cuts everything between two words that stay; without one of them, from the beginning or up to the end. */
export function cutBetween(
  words: readonly SpokenWord[],
  before: number | undefined,
  after: number | undefined,
  grid: LoudnessGrid,
): FrameSpan | undefined {
  return spanOf(
    before === undefined ? 0 : edgeBehind(words, before, grid),
    after === undefined ? grid.totalFrames : edgeBefore(words, after, grid),
  )
}

function edgeBehind(
  words: readonly SpokenWord[],
  i: number,
  grid: LoudnessGrid,
): number | undefined {
  const at = words[i]?.endTime
  if (at === undefined) return undefined
  const most = earlyIn(words[i + 1])
  return quietEdge({ at, least: endOf(words[i]), most, side: 'begin' }, grid)
}

function edgeBefore(
  words: readonly SpokenWord[],
  i: number,
  grid: LoudnessGrid,
): number | undefined {
  const at = words[i]?.startTime
  if (at === undefined) return undefined
  const least = lateIn(words[i - 1])
  return quietEdge({ at, least, most: beginOf(words[i]), side: 'end' }, grid)
}

function spanOf(from: number | undefined, to: number | undefined): FrameSpan | undefined {
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

type Timed = Pick<SpokenWord, 'startTime' | 'endTime'>

/** How early a cut may begin behind a word that stays. */
export function endOf(word: Timed | undefined): number {
  if (word?.endTime === undefined) return Number.NEGATIVE_INFINITY
  return word.endTime - intoOf(word)
}

/** How late a cut may end before a word that stays. */
export function beginOf(word: Timed | undefined): number {
  if (word?.startTime === undefined) return Number.POSITIVE_INFINITY
  return word.startTime + intoOf(word)
}

function intoOf({ startTime, endTime }: Timed): number {
  const length = startTime === undefined || endTime === undefined ? mostInto : endTime - startTime
  return Math.min(mostInto, length / 3)
}

/** At most so much of a word that goes may stay at either end: of more, a sound is heard. It is quiet inside of words, too. */
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
function leftOf({ startTime, endTime }: Timed): number {
  const length = startTime === undefined || endTime === undefined ? mostLeft : endTime - startTime
  return Math.min(mostLeft, length / 4)
}

import type { KeptTime } from './kept-time.ts'

/** In seconds. */
export type Timed = { readonly startTime: number; readonly endTime: number }

/**
 * The times of words are approximate: a word that seems to lie in a pause, at most this far from a voice, belongs to
 * that voice.
 */
const slackSeconds = 0.3

/**
 * Whether a word is in the finished video: all of it is left of what the request keeps, and it was not taken for a part of a
 * pause.
 */
export function isHeard(word: Timed, { all, asked }: { all: KeptTime; asked: KeptTime }): boolean {
  if (!isLeft(asked, word)) return false
  return isMostlyIn(all, word) || all.distanceTo(middleOf(word)) <= slackSeconds
}

/** How far a cut may extend into a word that stays: its times may be wrong by this much. */
const mostOffSeconds = 0.1

/** Whether all of a word is left. Half a word is not spoken in the video, and its text would reveal what was cut. */
export function isLeft(kept: KeptTime, { startTime, endTime }: Timed): boolean {
  const length = endTime - startTime
  if (length <= 0) return kept.distanceTo(startTime) === 0
  const off = Math.min(mostOffSeconds, length / 3)
  return kept.isWhole(startTime + off, endTime - off)
}

function isMostlyIn(kept: KeptTime, { startTime, endTime }: Timed): boolean {
  const length = endTime - startTime
  return length > 0
    ? kept.keptWithin({ from: startTime, to: endTime }) >= length / 2
    : kept.distanceTo(startTime) === 0
}

/** Whether two consecutive words still follow each other, without a cut between them. */
export function goesOn(before: Timed, word: Timed, kept: KeptTime): boolean {
  return kept.isWhole(middleOf(before), middleOf(word))
}

const middleOf = ({ startTime, endTime }: Timed): number => (startTime + endTime) / 2

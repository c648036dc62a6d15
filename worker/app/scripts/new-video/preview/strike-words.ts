import { rounded, type Section } from './cut-ranges.ts'
import type { TimedText } from '../../../../contract/captions/caption-words.ts'

/** How much of the pause on either side is cut with a word. */
const besideSeconds = 0.05
/** Cuts that are closer than this are joined: nobody would hear or see what is left between them. */
const nearSeconds = 0.2

/** The cut for a word: the word, and a little of the pauses beside it, at most half of each. */
export function spanOf(words: readonly TimedText[], index: number): Section | undefined {
  const word = words[index]
  if (!word) return undefined
  const before = words[index - 1]?.endTime ?? 0
  const after = words[index + 1]?.startTime ?? Infinity
  const startTime = Math.max(word.startTime - besideSeconds, (before + word.startTime) / 2, 0)
  const endTime = Math.min(word.endTime + besideSeconds, (word.endTime + after) / 2)
  // Where words overlap, the ends would change places.
  return {
    startTime: rounded(Math.min(startTime, word.startTime)),
    endTime: rounded(Math.max(endTime, word.endTime)),
  }
}

function sharedSeconds(a: Section, b: Section): number {
  return Math.max(0, Math.min(a.endTime, b.endTime) - Math.max(a.startTime, b.startTime))
}

/** The cuts with one more, joined with those that it touches. */
export function withCut(ranges: readonly Section[], cut: Section): Section[] {
  const isNear = (range: Section) =>
    range.startTime - cut.endTime < nearSeconds && cut.startTime - range.endTime < nearSeconds
  const met = [cut, ...ranges.filter(isNear)]
  const one = {
    startTime: Math.min(...met.map(({ startTime }) => startTime)),
    endTime: Math.max(...met.map(({ endTime }) => endTime)),
  }
  return [...ranges.filter((range) => !isNear(range)), one].toSorted(
    (a, b) => a.startTime - b.startTime,
  )
}

/** The cuts without these seconds, which the video then keeps. */
export function withoutCut(ranges: readonly Section[], kept: Section): Section[] {
  return ranges.flatMap((range) =>
    sharedSeconds(range, kept) === 0
      ? [range]
      : [
          { startTime: range.startTime, endTime: kept.startTime },
          { startTime: kept.endTime, endTime: range.endTime },
        ].filter(({ startTime, endTime }) => endTime - startTime >= nearSeconds / 2),
  )
}

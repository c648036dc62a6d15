import type { CaptionWord } from '../../../../contract/captions/caption-words.ts'
import { KeptTime } from '../../../../contract/layout/kept-time.ts'
import { goesOn, isHeard, isLeft } from '../../../../contract/layout/word-left.ts'
import type { Section } from './cut-ranges.ts'

/** Cuts of words, by hand or as fillers, and cuts of pauses, which contain no words. */
export type LeftOut = { readonly said: readonly Section[]; readonly pauses: readonly Section[] }

/** The time that cuts leave of a clip whose end does not matter. */
export function leftOf(cuts: readonly Section[]): KeptTime {
  let from = 0
  const kept = cuts
    .toSorted((a, b) => a.startTime - b.startTime)
    .flatMap(({ startTime, endTime }) => {
      const span = { from, to: startTime }
      from = Math.max(from, endTime)
      return span.to > span.from ? [span] : []
    })
  return new KeptTime([...kept, { from, to: Infinity }])
}

/** Tells whether these cuts strike a word out, by the rule of the media worker. */
export function struckBy(cuts: readonly Section[]): (word: Section) => boolean {
  const left = leftOf(cuts)
  return (word) => !isLeft(left, word)
}

/** The remaining words, in the times of the finished video. */
export function wordsLeft(words: readonly CaptionWord[], { said, pauses }: LeftOut): CaptionWord[] {
  const asked = leftOf(said)
  const all = leftOf([...said, ...pauses])
  let before: CaptionWord | undefined
  return words.flatMap((word) => {
    if (!isHeard(word, { all, asked })) {
      before = undefined
      return []
    }
    const opens = word.opens || !before || !goesOn(before, word, all)
    before = word
    const [startTime, endTime] = [all.placeOf(word.startTime), all.placeOf(word.endTime)]
    return [{ ...word, opens, startTime, endTime }]
  })
}

import type { Word } from '../../timeline/speech.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'

/**
 * The words that overlap the time between two moments. They follow each other, as tidied speech has them: hours of it have
 * tens of thousands, and are searched for each of as many sounds.
 */
export function wordsBetween(
  words: readonly Word[],
  { from, to }: { readonly from: number; readonly to: number },
): Word[] {
  let at = firstPlace(words.length, (place) => (words[place]?.endTime ?? 0) > from)
  const found: Word[] = []
  for (let word = words[at]; word && word.startTime < to; word = words[++at]) found.push(word)
  return found
}

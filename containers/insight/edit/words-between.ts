import type { Word } from '../../timeline/speech.ts'

/**
 * The words of which some lies between two moments. They follow each other, as settled speech has them: hours of it hold tens
 * of thousands, and are looked at for each of as many sounds.
 */
export function wordsBetween(
  words: readonly Word[],
  { from, to }: { readonly from: number; readonly to: number },
): Word[] {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.endTime ?? 0) > from) high = middle
    else low = middle + 1
  }
  const found: Word[] = []
  for (let word = words[low]; word && word.startTime < to; word = words[++low]) found.push(word)
  return found
}

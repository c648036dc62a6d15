/** A family of emoji takes ten characters, a flag of a region seven; a letter has few marks above each other. */
export const longestLetter = 32

/** Divides a text into what a reader sees as one letter. */
export const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The length of the first letter that is longer than a letter may be; undefined if none is. A letter is what a reader sees as
 * one, with all of its marks and joiners: programs that draw text take it as a whole.
 */
export function tooLongLetter(text: string): number | undefined {
  // Only marks and joiners come together without a blank between them; most words are shorter than this.
  for (const [run] of text.matchAll(/\S{32,}/gu)) {
    for (const { segment } of segmenter.segment(run)) {
      if (segment.length <= longestLetter) continue
      const { length } = [...segment]
      if (length > longestLetter) return length
    }
  }
  return undefined
}

export const longLetterRule = `Must have no letter of more than ${longestLetter} characters; marks and joiners count`

/**
 * Splits the text of a segment into one part per word, each with the punctuation and the space around its word;
 * undefined if the text has other words. Providers time words without punctuation and capitals, which only the text
 * has.
 */
export function splitText(text: string, words: readonly string[]): string[] | undefined {
  const begins: number[] = []
  const plain = text.toLowerCase()
  // A letter with a longer lower-case form would shift all that follow it.
  if (plain.length !== text.length) return undefined
  let from = 0
  for (const word of words) {
    const letters = bare(word)
    const at = letters === '' ? -1 : plain.indexOf(letters, from)
    if (at === -1 || skipsWord(text.slice(from, at))) return undefined
    begins.push(at)
    from = at + letters.length
  }
  if (begins.length === 0 || skipsWord(text.slice(from))) return undefined
  const cuts = begins.map((begin, i) => (i === 0 ? 0 : partBefore(text, begin)))
  return cuts.map((cut, i) => text.slice(cut, cuts[i + 1] ?? text.length))
}

const bare = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const skipsWord = (between: string): boolean => /[\p{L}\p{N}]/u.test(between)

/** Punctuation directly before a word, such as an opening quote, belongs to it. */
function partBefore(text: string, begin: number): number {
  let at = begin
  while (at > 0 && /[^\s\p{L}\p{N}]/u.test(text[at - 1] ?? '')) at--
  return /\s/u.test(text[at - 1] ?? '') ? at : begin
}

const omission = '…'
/** A clause that ends behind this share of what fits is a better end than a later word. */
const clauseFrom = 0.6
const clauseEnd = /[.!?;:,。！？；：、，،؛؟।]["'”’»)\]]*$/u

/**
 * The beginning of a text that fits into this many characters: whole words, up to the end of a clause where one is near, and a
 * mark that something was said behind it. Undefined if not even its first word fits.
 */
export function cutToLength(text: string, most: number, language: string): string | undefined {
  if ([...text].length <= most) return text
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  let [begun, word, clause] = ['', '', '']
  for (const { segment } of segmenter.segment(text)) {
    begun += segment
    const written = begun.trimEnd()
    if ([...written].length + 1 > most) break
    if (clauseEnd.test(written)) clause = written
    if (/[\p{L}\p{N}]$/u.test(written)) word = written
  }
  const isNear = [...clause].length >= clauseFrom * most
  const end = isNear ? clause.replace(/[;:,、，؛،]+$/u, '') : word
  return end === '' ? undefined : end + omission
}

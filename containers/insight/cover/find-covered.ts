import { isUnspaced } from '../../../worker/contract/captions/unspaced.ts'
import { findPhrase, textOfWords, type PhrasePlace, type SpokenText } from '../edit/find-phrase.ts'
import { plainLetters } from '../edit/plain-letters.ts'

/** A word of one of several texts, or a part of one joined by a hyphen or an elision, and where it is written. */
export type Token = {
  readonly source: number
  readonly from: number
  readonly to: number
  readonly letters: string
}

const wordsOf = /[\p{L}\p{M}\p{N}%&](?:[\p{L}\p{M}\p{N}'’]|[.,](?=\p{N}))*/gu
/** French and Italian write articles and other short words before an apostrophe, without a space: "l'idiot", "dell'idiota". */
const elidedWordsOf = /[\p{L}\p{M}\p{N}%&](?:[\p{L}\p{M}\p{N}]|[.,](?=\p{N}))*/gu
const eliding = ['ca', 'co', 'fr', 'it', 'oc']
const lettersOf = /[\p{L}\p{N}]\p{M}*/gu

/** In languages without spaces every letter counts as a word, because no two providers agree where their words end. */
export function tokensOf(texts: readonly string[], language: string): Token[] {
  const pattern = isUnspaced(language)
    ? lettersOf
    : eliding.includes(language)
      ? elidedWordsOf
      : wordsOf
  return texts
    .flatMap((text, source) =>
      Array.from(text.matchAll(pattern), ({ 0: token, index: from }) => ({
        ...{ source, from, to: from + token.length },
        letters: folded(token, language),
      })),
    )
    .filter(({ letters }) => letters !== '')
}

/** Folds capitals: two spellings that differ only in them are the same, even where capitals are other letters. */
function folded(text: string, language: string): string {
  return plainLetters(text, language).replaceAll('ß', 'ss').replaceAll('ς', 'σ')
}

/** Where one of the phrases is spoken; `phrase` is its index. */
type CoveredPlace = PhrasePlace & { readonly phrase: number }

/** Every place where one of these phrases is spoken, in order; of places that overlap, the first. */
export function findCovered(
  tokens: readonly Token[],
  phrases: readonly string[],
  language: string,
): CoveredPlace[] {
  const text = textOfWords(tokens)
  return phrases
    .flatMap((phrase, i) =>
      placesOf(text, phrase, language).map((place) => ({ ...place, phrase: i })),
    )
    .toSorted((a, b) => a.first - b.first || b.last - a.last)
}

/** A star at the end stands for any further letters of the last word. */
function placesOf(text: SpokenText, phrase: string, language: string): PhrasePlace[] {
  const letters = folded(phrase, language)
  return phrase.trim().endsWith('*') ? findBeginnings(text, letters) : findPhrase(text, letters)
}

function findBeginnings({ letters, beginning, ending }: SpokenText, phrase: string): PhrasePlace[] {
  const places: PhrasePlace[] = []
  if (phrase === '') return places
  for (let at = letters.indexOf(phrase); at !== -1; at = letters.indexOf(phrase, at + 1)) {
    const first = beginning.get(at)
    if (first === undefined) continue
    let end = at + phrase.length
    while (!ending.has(end)) end += 1
    places.push({ first, last: ending.get(end) ?? first })
  }
  return places
}

import type { SpokenWord } from './spoken-words.ts'

/** Words from `first` to `last`, both included. */
export type PhrasePlace = { readonly first: number; readonly last: number }

/** The letters of all words in a row, so that `e-mail` is found as `email`. */
export type SpokenText = {
  readonly letters: string
  /** The word that begins, or ends, at a letter. */
  readonly beginning: ReadonlyMap<number, number>
  readonly ending: ReadonlyMap<number, number>
}

export function textOfWords(words: readonly Pick<SpokenWord, 'letters'>[]): SpokenText {
  const beginning = new Map<number, number>()
  const ending = new Map<number, number>()
  let at = 0
  for (const [i, { letters }] of words.entries()) {
    beginning.set(at, i)
    at += letters.length
    ending.set(at, i)
  }
  return { letters: words.map(({ letters }) => letters).join(''), beginning, ending }
}

/** Every place where exactly this is said, as whole words. */
export function findPhrase(
  { letters, beginning, ending }: SpokenText,
  phrase: string,
): PhrasePlace[] {
  const places: PhrasePlace[] = []
  if (phrase === '') return places
  for (let from = 0; ;) {
    const at = letters.indexOf(phrase, from)
    if (at === -1) return places
    const [first, last] = [beginning.get(at), ending.get(at + phrase.length)]
    const isWhole = first !== undefined && last !== undefined
    if (isWhole) places.push({ first, last })
    from = isWhole ? at + phrase.length : at + 1
  }
}

/** Shorter phrases become others by changing a letter; in longer ones only a recogniser's error makes such a small difference. */
const leastLetters = 20
/** Longer ones are not searched with errors, because that takes time in proportion to their length. */
const mostLetters = 300
const lettersPerSlip = 12

/** How many cells may be compared for all phrases of a request: the same thread answers health checks. */
export type SearchPatience = { cells: number }
export const patience = (): SearchPatience => ({ cells: 50_000_000 })

/** More errors than any phrase may have. */
const never = 1_000_000

/**
 * The only place where nearly this is said: with few letters added, missing or exchanged. Undefined if no place is near, or if
 * several are equally near.
 */
export function findNearly(
  { letters, beginning, ending }: SpokenText,
  phrase: string,
  left: SearchPatience = patience(),
): PhrasePlace | undefined {
  const { length } = phrase
  left.cells -= length * letters.length
  if (length < leastLetters || length > mostLetters || left.cells < 0) return undefined
  let best: { slips: number; places: PhrasePlace[] } = {
    slips: Math.floor(length / lettersPerSlip),
    places: [],
  }
  // Sellers' algorithm: for every beginning of the phrase, the fewest errors with which it ends at a letter.
  let before = {
    slips: Int32Array.from({ length: length + 1 }, (_, i) => i),
    from: new Int32Array(length + 1),
  }
  let here = { slips: new Int32Array(length + 1), from: new Int32Array(length + 1) }
  for (let at = 1; at <= letters.length; at++) {
    here.slips[0] = beginning.has(at) ? 0 : never
    here.from[0] = at
    fillColumn(before, here, phrase, letters.charCodeAt(at - 1))
    const slips = here.slips[length] ?? never
    const [first, last] = [beginning.get(here.from[length] ?? -1), ending.get(at)]
    ;[before, here] = [here, before]
    if (slips > best.slips || first === undefined || last === undefined) continue
    if (slips < best.slips) best = { slips, places: [] }
    best.places.push({ first, last })
  }
  return best.places.length === 1 ? best.places[0] : undefined
}

/** The errors up to each letter of the phrase, and where it then began. */
type SlipColumn = { readonly slips: Int32Array; readonly from: Int32Array }

function fillColumn(before: SlipColumn, here: SlipColumn, phrase: string, letter: number): void {
  for (let i = 1; i <= phrase.length; i++) {
    const exchanged = (before.slips[i - 1] ?? never) + (phrase.charCodeAt(i - 1) === letter ? 0 : 1)
    const added = (before.slips[i] ?? never) + 1
    const missed = (here.slips[i - 1] ?? never) + 1
    const least = Math.min(exchanged, added, missed)
    here.slips[i] = least
    here.from[i] =
      (least === exchanged
        ? before.from[i - 1]
        : least === added
          ? before.from[i]
          : here.from[i - 1]) ?? 0
  }
}

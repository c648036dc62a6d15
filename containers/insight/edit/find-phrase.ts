import type { SpokenWord } from './spoken-words.ts'

/** Words from `first` to `last`, both included. */
export type Place = { readonly first: number; readonly last: number }

/** The letters of all words in a row, so that `e-mail` is found as `email`. */
export type SpokenText = {
  readonly letters: string
  /** The word that begins, or ends, at a letter. */
  readonly beginning: ReadonlyMap<number, number>
  readonly ending: ReadonlyMap<number, number>
}

export function textOfWords(words: readonly SpokenWord[]): SpokenText {
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
export function findPhrase({ letters, beginning, ending }: SpokenText, phrase: string): Place[] {
  const places: Place[] = []
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

/** Shorter phrases become others by a letter; in longer ones only a recogniser's slip differs by so little. */
const leastLetters = 20
/** Longer ones are not searched for slips, because that takes time in proportion to their length. */
const mostLetters = 300
const lettersPerSlip = 12

/**
 * The one place where nearly this is said: with few letters added, left out or exchanged. Undefined if there is none,
 * or several that are equally near.
 */
export function findNearly(
  { letters, beginning, ending }: SpokenText,
  phrase: string,
): Place | undefined {
  if (phrase.length < leastLetters || phrase.length > mostLetters) return undefined
  const most = Math.floor(phrase.length / lettersPerSlip)
  let best: { slips: number; places: Place[] } = { slips: most, places: [] }
  // Sellers' algorithm: for every beginning of the phrase, the fewest slips with which it ends at a letter.
  let column = Array.from({ length: phrase.length + 1 }, (_, i) => ({ slips: i, from: 0 }))
  for (let at = 1; at <= letters.length; at++) {
    column = nextColumn(column, { phrase, letter: letters[at - 1] ?? '', at, beginning })
    const end = column[phrase.length]
    const [first, last] = [beginning.get(end?.from ?? -1), ending.get(at)]
    if (!end || end.slips > best.slips || first === undefined || last === undefined) continue
    if (end.slips < best.slips) best = { slips: end.slips, places: [] }
    best.places.push({ first, last })
  }
  return best.places.length === 1 ? best.places[0] : undefined
}

type Cell = { readonly slips: number; readonly from: number }
type Step = {
  readonly phrase: string
  readonly letter: string
  readonly at: number
  readonly beginning: ReadonlyMap<number, number>
}

function nextColumn(before: readonly Cell[], { phrase, letter, at, beginning }: Step): Cell[] {
  const start = beginning.has(at) ? 0 : Number.POSITIVE_INFINITY
  const column: Cell[] = [{ slips: start, from: at }]
  for (let i = 1; i <= phrase.length; i++) {
    const both = before[i - 1]
    const added = before[i]
    const missed = column[i - 1]
    const cells = [
      both && { ...both, slips: both.slips + (phrase[i - 1] === letter ? 0 : 1) },
      added && { ...added, slips: added.slips + 1 },
      missed && { ...missed, slips: missed.slips + 1 },
    ]
    const [first, ...others] = cells.filter((cell) => cell !== undefined)
    if (!first) break
    column.push(others.reduce((least, cell) => (cell.slips < least.slips ? cell : least), first))
  }
  return column
}

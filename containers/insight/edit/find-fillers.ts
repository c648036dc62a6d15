import type { PhrasePlace } from './find-phrase.ts'
import type { SpokenWord } from './spoken-words.ts'

export type Filler = PhrasePlace & { readonly why: 'filler' | 'repeat' }

/** Fillers in languages in which they are never real words. `um` and `er` are words in German. */
const fillers: Readonly<Record<string, RegExp>> = {
  en: /^(?:u+m+|u+h+m*|er|e+r+m+|e+h+m+|h+m+)$/u,
  de: /^(?:ä+h+m*|ö+h+m*|e+h+m+|h+m+)$/u,
  fr: /^(?:e+u+h+|h+e+u+|e+h+m+)$/u,
  nl: /^(?:u+h+m*|e+h+m+|h+m+)$/u,
  es: /^(?:e+h+m+)$/u,
  it: /^(?:e+h+m+)$/u,
  da: /^(?:ø+h+m*|ø+h+)$/u,
  no: /^(?:ø+h+m*|e+h+m+)$/u,
  sv: /^(?:ö+h+m*|e+h+m+)$/u,
}

/** English words that are never repeated on purpose, unlike `that that`, `had had`, `very very` and `no no`. */
const neverTwice = new Set(
  'i the a an and but we they he she my our your their to of if because with for from im its'.split(
    ' ',
  ),
)
/** A repeated start begins with one of these; `again and again and` and `come on come on` do not. */
const openers = new Set(
  'i we he she it they the a an but there this these those if when because im its thats were theyre'.split(
    ' ',
  ),
)
/** Words that are repeated to agree or to insist. */
const insisting = new Set([
  'iknow',
  'ido',
  'iam',
  'idid',
  'itis',
  'hedid',
  'shedid',
  'theydo',
  'wedo',
])

const longestStart = 4
/** A speaker who starts again does so soon. */
const longestGap = 1

/** Whether a word, in plain letters, is only a filler. */
export function isFillerWord(letters: string, language: string): boolean {
  return fillers[language]?.test(letters) === true
}

/** Fillers, and beginnings of sentences that are repeated, in order. Only certain ones count. */
export function findFillers(words: readonly SpokenWord[], language: string): Filler[] {
  const found = words.flatMap((word, i): Filler[] => {
    const isFiller = isFillerWord(word.letters, language) && words[i + 1]?.letters !== 'oh'
    return isFiller ? [{ first: i, last: i, why: 'filler' }] : []
  })
  return language === 'en' ? [...found, ...findRepeats(words, found)].toSorted(byPlace) : found
}

const byPlace = (a: PhrasePlace, b: PhrasePlace): number => a.first - b.first

/** Looks for repeats as if the fillers were not there: "I, um, I think" repeats too. */
function findRepeats(words: readonly SpokenWord[], found: readonly PhrasePlace[]): Filler[] {
  const isFiller = new Set(found.map(({ first }) => first))
  const rest = words.map((word, i) => ({ ...word, i })).filter(({ i }) => !isFiller.has(i))
  const repeats: Filler[] = []
  for (let at = 0; at < rest.length;) {
    const length = repeatAt(rest, at)
    const [first, last] = [rest[at]?.i, rest[at + length - 1]?.i]
    if (length > 0 && first !== undefined && last !== undefined) {
      repeats.push({ first, last, why: 'repeat' })
    }
    at += Math.max(1, length)
  }
  return repeats
}

/** How many words from here on are repeated directly afterwards; 0 if that may be on purpose. */
function repeatAt(words: readonly SpokenWord[], at: number): number {
  for (let length = longestStart; length > 0; length--) {
    const once = words.slice(at, at + length)
    const again = words.slice(at + length, at + 2 * length)
    if (
      once.length === length &&
      isSame(once, again) &&
      isSlip(once, again, words[at + 2 * length])
    ) {
      return length
    }
  }
  return 0
}

function isSame(once: readonly SpokenWord[], again: readonly SpokenWord[]): boolean {
  return once.every(({ letters }, i) => letters === again[i]?.letters)
}

function isSlip(
  once: readonly SpokenWord[],
  again: readonly SpokenWord[],
  next: SpokenWord | undefined,
): boolean {
  const all = [...once, ...again, ...(next ? [next] : [])]
  if (!next || !goesOn(all)) return false
  const letters = once.map((word) => word.letters)
  const [opener = ''] = letters
  if (letters.length === 1) return neverTwice.has(opener)
  const hasOwnWords = new Set(letters).size === letters.length
  return hasOwnWords && openers.has(opener) && !insisting.has(letters.join(''))
}

/** Whether no sentence ends between these words, and no long pause is between them. */
function goesOn(words: readonly SpokenWord[]): boolean {
  return words.slice(1).every((word, i) => {
    const before = words[i]
    const gap = (word.startTime ?? Infinity) - (before?.endTime ?? -Infinity)
    return gap <= longestGap && !/[.?!…]["”’)]*$/u.test(before?.text ?? '')
  })
}

import type { SaidWord, Sentence } from './sentences.ts'
import { countStems, type Talk } from './talk.ts'

/** What a sentence has that is worth telling. */
type Telling = {
  readonly sentence: Sentence
  readonly stems: ReadonlyMap<string, number>
  readonly number: string | undefined
  readonly name: string | undefined
  readonly claim: string | undefined
  /** Words that were asked for, by their stems. */
  readonly wanted: readonly SaidWord[]
}

/** Numbers as they are heard; small ones are in every talk, and are written as words. */
const numberWord = /^(?:hundreds?|thousands?|millions?|billions?|percent|dozens?)$/iu
const numeral = /^[$€£]?\d/u

/** How people announce, in English, what matters to them. */
const claims =
  /\b(?:the most \p{L}{4,}|the (?:best|worst|biggest|hardest) \p{L}{4,}|the (?:reason|secret|truth|problem|trick|key|point) (?:is|was|why|to)|mistakes?|surprising(?:ly)?|turns out)\b/iu

export function tellingOf(sentence: Sentence, talk: Talk, wanted: ReadonlySet<string>): Telling {
  const { words, text } = sentence
  const number = words.find(
    (word) => word.isSure && (numeral.test(word.text) || numberWord.test(word.text)),
  )
  return {
    sentence,
    stems: countStems([sentence]),
    number: number?.text,
    // The first word has a capital, whatever it is.
    name: words.slice(1).find((word) => isName(word, talk))?.text,
    claim: talk.language === 'en' ? claims.exec(text)?.[0] : undefined,
    wanted: words.filter(({ stem }) => wanted.has(stem)),
  }
}

/** German writes every noun with a capital. */
function isName({ text, isSure, isContent }: SaidWord, talk: Talk): boolean {
  if (!isSure || !isContent || talk.language === 'de') return false
  return /^\p{Lu}\p{Ll}{2,}$/u.test(text) && !talk.uncapitalised.has(text.toLowerCase())
}

/** The word that a clip keeps coming back to, and the rest of the talk does not. */
type Subject = { readonly stem: string; readonly count: number; readonly focus: number }

/** The same of several sentences that follow each other. It grows, because every longer clip has all of a shorter one. */
export class Gathered {
  readonly #said: Talk['said']
  readonly #stems = new Map<string, number>()
  readonly #wanted = new Map<string, string>()
  readonly first: Sentence
  last: Sentence
  number: string | undefined
  name: string | undefined
  claim: string | undefined
  subject: Subject | undefined
  wantedTimes = 0
  words = 0
  spokenSeconds = 0

  constructor({ sentence }: Telling, { said }: Pick<Talk, 'said'>) {
    this.first = sentence
    this.last = sentence
    this.#said = said
  }

  /** The words that were asked for, each once, as they were said first. */
  get wanted(): string[] {
    return [...this.#wanted.values()]
  }

  add({ sentence, stems, wanted, ...one }: Telling): void {
    this.last = sentence
    this.words += sentence.words.length
    this.spokenSeconds += sentence.endTime - sentence.startTime
    this.number ??= one.number
    this.name ??= one.name
    this.claim ??= one.claim
    this.wantedTimes += wanted.length
    for (const { stem, text } of wanted) {
      if (!this.#wanted.has(stem)) this.#wanted.set(stem, text)
    }
    for (const [stem, more] of stems) {
      const count = (this.#stems.get(stem) ?? 0) + more
      this.#stems.set(stem, count)
      const focus = (count / (this.#said.get(stem) ?? count)) * Math.log2(count)
      if (focus > (this.subject?.focus ?? 0)) this.subject = { stem, count, focus }
    }
  }
}

import { announced } from './announcements.ts'
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
  /** Whether it says what comes next. */
  readonly announces: boolean
}

/** Numbers as they are transcribed; small ones occur in every talk, and are written as words. */
const numberWord = /^(?:hundreds?|thousands?|millions?|billions?|trillions?|percent|dozens?)$/iu
/** Not "21st", which is a date or an ordinal. */
const numeral = /^[$€£]?\d(?!.*(?:st|nd|rd|th)$)/iu
/** What belongs to a number before or after it: "ninety thousand", "40 percent". */
const countWord =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\p{L}+)?|half|an?|point)$/iu
const article = /^an?$/iu
/** What "and" joins smaller numbers to. */
const large = /^(?:hundred|thousand|million|billion|trillion)$/iu
/** What "of" joins to larger numbers: "hundreds of millions". */
const many = /^(?:dozens|hundreds|thousands|millions|billions)$/iu

/** How people announce, in English, what matters to them. */
const claims =
  /\b(?:the most \p{L}{4,}|the (?:best|worst|biggest|hardest) \p{L}{4,}|the (?:reason|secret|truth|problem|trick|key|point) (?:is|was|why|to)|mistakes?|surprising(?:ly)?|turns out)\b/iu

export function tellingOf(sentence: Sentence, talk: Talk, wanted: ReadonlySet<string>): Telling {
  const { words, text } = sentence
  return {
    sentence,
    stems: countStems([sentence]),
    number: numberIn(words),
    name: nameIn(sentence, talk),
    claim: talk.language === 'en' ? claims.exec(text)?.[0] : undefined,
    wanted: words.filter(({ stem }) => wanted.has(stem)),
    announces: announced(sentence, talk.language) !== undefined,
  }
}

/** The first name, with the names that follow it: the first word of a sentence has a capital, whatever it is. */
function nameIn({ words, text }: Sentence, talk: Talk): string | undefined {
  const at = words.findIndex((word, i) => i > 0 && isName(word, talk))
  const [first, ...others] = at < 0 ? [] : words.slice(at)
  let name = first?.text
  for (const { text: next, isSure } of others) {
    const bare = next.replace(/['’]s$/u, '')
    const isPart = isSure && /^\p{Lu}\p{L}+$/u.test(bare)
    if (name === undefined || !isPart || !text.includes(`${name} ${next}`)) break
    name = `${name} ${bare}`
    if (bare !== next) break
  }
  return name
}

/** The first large number, with all words of it. */
function numberIn(words: readonly SaidWord[]): string | undefined {
  const isLarge = ({ text }: SaidWord): boolean => numeral.test(text) || numberWord.test(text)
  const at = words.findIndex((word) => word.isSure && isLarge(word))
  if (at < 0) return undefined
  let [from, to] = [at, at + 1]
  while (goesOn(words[from - 1], words[from])) from--
  for (let more = 1; more > 0; to += more) more = wordsMore(words, to)
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ')
}

/** Whether a word belongs to the same number as the word before it: a year followed by a count makes two numbers. */
function goesOn(before: SaidWord | undefined, word: SaidWord | undefined): boolean {
  if (!before || !word) return false
  if (numberWord.test(word.text)) {
    return [numeral, numberWord, countWord].some((part) => part.test(before.text))
  }
  return countWord.test(word.text) && [numberWord, countWord].some((part) => part.test(before.text))
}

/** How many words from a place on belong to the number before it: "two hundred and forty" has one word for joining. */
function wordsMore(words: readonly SaidWord[], to: number): number {
  const isNext = (at: number): boolean =>
    goesOn(words[to - 1], words[at]) && !article.test(words[at]?.text ?? '')
  if (isNext(to)) return 1
  const [before = '', joining = ''] = [words[to - 1]?.text, words[to]?.text]
  if (/^of$/iu.test(joining) && many.test(before) && many.test(words[to + 1]?.text ?? '')) return 2
  const isJoined = /^and$/iu.test(joining) && large.test(before)
  return isJoined && isNext(to + 1) ? 2 : 0
}

/** They have a capital in English, and are not names. */
const dates =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)s?$/iu

/** German writes every noun with a capital. */
function isName({ text, isSure, isContent }: SaidWord, talk: Talk): boolean {
  if (!isSure || !isContent || talk.language === 'de' || dates.test(text)) return false
  return /^\p{Lu}\p{Ll}{2,}$/u.test(text) && !talk.uncapitalised.has(text.toLowerCase())
}

/** The word that a clip keeps coming back to, unlike the rest of the talk. */
type SaidSubject = { readonly stem: string; readonly count: number; readonly focus: number }

/** The same for several consecutive sentences. It grows, because every longer clip contains all of a shorter one. */
export class Gathered {
  readonly #said: Talk['said']
  readonly #stems = new Map<string, number>()
  readonly #wanted = new Map<string, string>()
  readonly first: Sentence
  last: Sentence
  number: string | undefined
  name: string | undefined
  claim: string | undefined
  subject: SaidSubject | undefined
  wantedTimes = 0
  /** Whether it moves on to something else that somebody announces. */
  goesElsewhere = false
  words = 0
  spokenSeconds = 0

  constructor({ sentence }: Telling, { said }: Pick<Talk, 'said'>) {
    this.first = sentence
    this.last = sentence
    this.#said = said
  }

  /** The words that were asked for, each once, in the form in which they were first said. */
  get wanted(): string[] {
    return [...this.#wanted.values()]
  }

  add({ sentence, stems, wanted, ...one }: Telling): void {
    this.last = sentence
    this.goesElsewhere ||= one.announces && sentence !== this.first
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

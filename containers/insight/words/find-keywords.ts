import nlp from 'compromise'
import { z } from 'zod'
import { isSureOf, type HeardText } from './heard-text.ts'

const term = z.object({
  text: z.string(),
  normal: z.string(),
  tags: z.array(z.string()),
  offset: z.object({ start: z.int(), length: z.int() }),
})

const nounPhrases = z.array(z.object({ terms: z.array(term) }))

type Term = z.infer<typeof term>

/** Words that occur in any speech and say nothing about its topic. */
const empty = new Set(
  `thing things lot lots way ways time times day days bit kind sort one ones something anything
  everything nothing someone anyone everyone somebody anybody everybody today tomorrow yesterday
  minute minutes second seconds hour hours moment part case fact example video videos channel guy
  guys man stuff place point side end start number numbers back here there other others rest
  person people couple bunch word words reason idea question problem best worst worth same mention type types example mr mrs ms okay ok hello hi thanks`.split(
    /\s+/,
  ),
)

const unwanted = ['Pronoun', 'Value', 'Date', 'Expression', 'QuestionWord', 'Verb', 'Adverb']
const maxWords = 3
const maxChars = 40

/** A word that is said only once may be unimportant. */
const fewestMentions = 2

/** The topics of an English text: its noun phrases, the most frequent first. */
export function findKeywords(heard: HeardText, count: number): string[] {
  const found = new Map<string, { said: number; words: number; order: number }>()
  const phrases: unknown = nlp(heard.text)
    .nouns()
    .json({ offset: true, terms: { offset: true } })
  for (const { terms } of nounPhrases.parse(phrases)) {
    const nouns = nounsOf(terms)
    const keyword = keywordOf(nouns)
    if (keyword === undefined || !nouns.every((noun) => isHeard(heard, noun))) continue
    const known = found.get(keyword)
    if (known) known.said++
    else found.set(keyword, { said: 1, words: nouns.length, order: found.size })
  }
  const weight = ({ said, words }: { said: number; words: number }) => said + (words - 1) / 2
  return [...found]
    .filter(([, { said }]) => said >= fewestMentions)
    .sort(([, a], [, b]) => weight(b) - weight(a) || a.order - b.order)
    .map(([keyword]) => keyword)
    .slice(0, count)
}

function isHeard(heard: HeardText, { offset: { start, length } }: Term): boolean {
  return isSureOf(heard, start, start + length)
}

/** The nouns at the end of a phrase. */
function nounsOf(terms: readonly Term[]): Term[] {
  // "The old town of Lisbon" names two things.
  const cut = terms.findIndex(({ tags }) => tags.includes('Preposition'))
  const head = cut === -1 ? terms : terms.slice(0, cut)
  const nouns: Term[] = []
  for (const term of [...head].reverse()) {
    if (!isNoun(term)) break
    nouns.unshift(term)
  }
  return nouns
}

/** Returns the dictionary form. */
function keywordOf(nouns: readonly Term[]): string | undefined {
  const last = nouns.at(-1)
  if (!last || nouns.length > maxWords || nouns.some(({ normal }) => empty.has(normal))) {
    return undefined
  }
  const isName = nouns.every(({ tags }) => tags.includes('ProperNoun'))
  const words = nouns.map(({ text, normal }) => (isName ? text : normal))
  const keyword = isName ? words.join(' ') : [...words.slice(0, -1), singular(last)].join(' ')
  return keyword.length >= 3 && keyword.length <= maxChars ? keyword : undefined
}

function isNoun({ normal, tags }: Term): boolean {
  if (!tags.includes('Noun') || unwanted.some((tag) => tags.includes(tag))) return false
  return /^\p{L}[\p{L}-]*$/u.test(normal)
}

function singular({ normal, tags }: Term): string {
  if (!tags.includes('Plural')) return normal
  return nlp(normal).nouns().toSingular().text().toLowerCase() || normal
}

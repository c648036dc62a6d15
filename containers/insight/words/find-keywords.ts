import nlp from 'compromise'
import { z } from 'zod'

const nounPhrases = z.array(
  z.object({
    terms: z.array(z.object({ text: z.string(), normal: z.string(), tags: z.array(z.string()) })),
  }),
)

type Term = z.infer<typeof nounPhrases>[number]['terms'][number]

/** Said everywhere, and about nothing. */
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

/** What an English text is about: its noun phrases, the most said first. */
export function findKeywords(text: string, count: number): string[] {
  const found = new Map<string, { said: number; words: number; order: number }>()
  for (const { terms } of nounPhrases.parse(nlp(text).nouns().json())) {
    const keyword = keywordOf(terms)
    if (keyword === undefined) continue
    const known = found.get(keyword)
    if (known) known.said++
    else found.set(keyword, { said: 1, words: keyword.split(' ').length, order: found.size })
  }
  const weight = ({ said, words }: { said: number; words: number }) => said + (words - 1) / 2
  return [...found]
    .sort(([, a], [, b]) => weight(b) - weight(a) || a.order - b.order)
    .map(([keyword]) => keyword)
    .slice(0, count)
}

/** The nouns at the end of a phrase, in the form that dictionaries have. */
function keywordOf(terms: readonly Term[]): string | undefined {
  // "The old town of Lisbon" is two things.
  const cut = terms.findIndex(({ tags }) => tags.includes('Preposition'))
  const head = cut === -1 ? terms : terms.slice(0, cut)
  const nouns: Term[] = []
  for (const term of [...head].reverse()) {
    if (!isNoun(term)) break
    nouns.unshift(term)
  }
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

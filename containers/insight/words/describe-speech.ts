import { spread } from '../../numbers/spread.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { City } from '../places/cities.ts'
import { placeNamed } from '../places/place-named.ts'
import { heardText, isSureOf, type HeardText } from './heard-text.ts'
import nlp from 'compromise'
import { z } from 'zod'

/** A short description of the speech that leaves out doubtful words. */
export type SpeechDescription = {
  readonly keywords: readonly string[]
  readonly sentences: readonly string[]
  readonly place: string | undefined
}

const maxKeywords = 8
const maxSentenceChars = 280
/** Twenty minutes of speech: parsing takes time that grows with the square, and more text would give the same topics. */
const maxChars = 20_000

/** Keywords need the grammar, which covers only English; key sentences work in any language. */
export function describeSpeech(speech: Speech, cities: readonly City[]): SpeechDescription {
  const heard = heardText(speech, maxChars)
  const isEnglish = speech.language === 'en'
  return {
    keywords: isEnglish ? findKeywords(heard, maxKeywords) : [],
    sentences: keySentences(heard, maxSentenceChars),
    place: isEnglish ? placeNamed(heard, cities) : undefined,
  }
}

/**
 * Picks one sentence or a few that sum up the text, in the order in which they were said. Skips sentences with doubtful
 * words.
 */
export function keySentences(heard: HeardText, maxChars: number): string[] {
  const sentences = sentencesOf(heard)
  const ranks = rankSentences(sentences.map(({ text }) => contentWords(text)))
  const chosen: number[] = []
  let chars = 0
  const byRank = ranks
    .map((rank, place) => ({ rank, place }))
    .filter(({ place }) => sentences[place]?.isSure)
    .sort((a, b) => b.rank - a.rank)
  for (const { place } of byRank) {
    const { length } = sentences[place]?.text ?? ''
    if (chars + length > maxChars) continue
    chosen.push(place)
    chars += length
  }
  if (chosen.length === 0) {
    return byRank.slice(0, 1).map(({ place }) => cut(sentences[place]?.text, maxChars))
  }
  return chosen.sort((a, b) => a - b).map((place) => sentences[place]?.text ?? '')
}

/** A limit, because the time grows with the square of the number of sentences. */
const maxSentences = 400

type SureSentence = { readonly text: string; readonly isSure: boolean }

function sentencesOf(heard: HeardText): SureSentence[] {
  const parts = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(heard.text)]
  const sentences = parts.map(({ segment, index }) => ({
    text: segment.trim().replaceAll(/\s+/g, ' '),
    isSure: isSureOf(heard, index, index + segment.length),
  }))
  const whole = sentences.filter(({ text }) => text.split(' ').length >= 4)
  const usable = whole.length > 0 ? whole : sentences.filter(({ text }) => text !== '')
  return spread(usable, maxSentences)
}

const shortestContent = 4

/** Short words say little about the topic. */
function contentWords(sentence: string): Set<string> {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? []
  return new Set(words.filter((word) => word.length >= shortestContent))
}

const rounds = 20
const damping = 0.85

/** TextRank: a sentence ranks high if it shares words with other sentences that rank high. */
function rankSentences(sentences: readonly Set<string>[]): number[] {
  const links = sentences.map((a, i) => sentences.map((b, j) => (i === j ? 0 : likeness(a, b))))
  const totals = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  let ranks = sentences.map(() => 1)
  for (let round = 0; round < rounds; round++) {
    ranks = ranks.map((_, i) => {
      const flow = ranks.reduce((sum, rank, j) => {
        const total = totals[j] ?? 0
        return total === 0 ? sum : sum + (rank * (links[j]?.[i] ?? 0)) / total
      }, 0)
      return 1 - damping + damping * flow
    })
  }
  return ranks
}

function likeness(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared === 0 ? 0 : shared / (Math.log(1 + a.size) + Math.log(1 + b.size))
}

function cut(sentence = '', maxChars: number): string {
  if (sentence.length <= maxChars) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', maxChars - 1))}…`
}

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
const maxKeywordChars = 40

/** A word that is said only once may be unimportant. */
const fewestMentions = 2

/** The topics of an English text: its noun phrases, the most frequent first. */
function findKeywords(heard: HeardText, count: number): string[] {
  const found = new Map<string, { said: number; words: number; order: number }>()
  const phrases: unknown = nlp(heard.text)
    .nouns()
    .json({ offset: true, terms: { offset: true } })
  for (const { terms } of nounPhrases.parse(phrases)) {
    const nouns = nounsOf(terms)
    const keyword = keywordOf(nouns)
    const isHeard = nouns.every(({ offset: { start, length } }) =>
      isSureOf(heard, start, start + length),
    )
    if (keyword === undefined || !isHeard) continue
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

/** The nouns at the end of a phrase. */
function nounsOf(terms: readonly Term[]): Term[] {
  // "The old town of Lisbon" names two things.
  const cut = terms.findIndex(({ tags }) => tags.includes('Preposition'))
  const head = cut === -1 ? terms : terms.slice(0, cut)
  const nouns: Term[] = []
  for (const term of head.toReversed()) {
    if (!isNoun(term)) break
    nouns.unshift(term)
  }
  return nouns
}

/** The dictionary form of a phrase, or undefined. */
function keywordOf(nouns: readonly Term[]): string | undefined {
  const last = nouns.at(-1)
  if (!last || nouns.length > maxWords || nouns.some(({ normal }) => empty.has(normal))) {
    return undefined
  }
  const isName = nouns.every(({ tags }) => tags.includes('ProperNoun'))
  const words = nouns.map(({ text, normal }) => (isName ? text : normal))
  const keyword = isName ? words.join(' ') : [...words.slice(0, -1), singular(last)].join(' ')
  return keyword.length >= 3 && keyword.length <= maxKeywordChars ? keyword : undefined
}

function isNoun({ normal, tags }: Term): boolean {
  if (!tags.includes('Noun') || unwanted.some((tag) => tags.includes(tag))) return false
  return /^\p{L}[\p{L}-]*$/u.test(normal)
}

function singular({ normal, tags }: Term): string {
  if (!tags.includes('Plural')) return normal
  return nlp(normal).nouns().toSingular().text().toLowerCase() || normal
}

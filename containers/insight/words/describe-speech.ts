import type { Speech } from '../../timeline/speech.ts'
import type { City } from '../places/cities.ts'
import { placeNamed } from '../places/place-named.ts'
import { findKeywords } from './find-keywords.ts'
import { heardText, isSureOf, type HeardText } from './heard-text.ts'

/** A short description of the speech that leaves out doubtful words. */
export type SpeechDescription = {
  readonly keywords: readonly string[]
  readonly sentences: readonly string[]
  readonly place: string | undefined
}

const maxKeywords = 8
const maxSentenceChars = 280
/** Twenty minutes of speech: the time for its grammar grows with the square, and more of it names the same topics. */
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

/** Reads no more sentences, because the time grows with the square of their number. */
const maxSentences = 400

type Sentence = { readonly text: string; readonly isSure: boolean }

function sentencesOf(heard: HeardText): Sentence[] {
  const parts = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(heard.text)]
  const sentences = parts.map(({ segment, index }) => ({
    text: segment.trim().replaceAll(/\s+/g, ' '),
    isSure: isSureOf(heard, index, index + segment.length),
  }))
  const whole = sentences.filter(({ text }) => text.split(' ').length >= 4)
  return spread(whole.length > 0 ? whole : sentences.filter(({ text }) => text !== ''))
}

/** Of hours of speech, sentences from its whole length. */
function spread(sentences: readonly Sentence[]): Sentence[] {
  const step = Math.max(1, sentences.length / maxSentences)
  return sentences.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
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

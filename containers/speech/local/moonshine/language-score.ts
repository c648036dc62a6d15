import { distance } from 'fastest-levenshtein'
import { thousandths } from '../../../numbers/thousandths.ts'
import { meanOf } from '../../../numbers/mean.ts'

/** How sure the decoder was of its text, for a stretch of sound. */
type Certainty = { readonly logProbability: number; readonly judged: number }

/**
 * The mean log-probability of a token: near 0 for clear English, far below for sounds that the model cannot recognise.
 */
export function meanCertainty(parts: readonly Certainty[]): number {
  const judged = parts.reduce((sum, part) => sum + part.judged, 0)
  if (judged === 0) return 0
  return parts.reduce((sum, part) => sum + part.logProbability, 0) / judged
}

/** Above this, the language is surely English; below it, noisy English and other languages overlap. */
const surely = -0.3
const hardly = -1.3

export function isInDoubt(certainty: number): boolean {
  return certainty < surely && certainty > hardly
}

/** How likely the speech is English. */
export type LanguageJudgement = {
  /** On the scale of `meanCertainty`. */
  readonly score: number
  /** 0 … 1; 0.5 means that as many recordings of English score lower as recordings of other languages score higher. */
  readonly confidence: number
}

/** The text recognised in a sound, and its number of tokens. */
export type Hearing = {
  readonly certainty: number
  readonly text: string
  readonly tokens: number
}

/** Fitted to recordings of some sixty voices; decision 024 says how it did on others. */
const likenessWeight = 0.83
const usualLikeness = 0.45
const tokensWeight = 0.15
const usualTokens = 1.3
const mostTokens = 3

/**
 * Compares the text of a sound with texts of further tries. English gives the same text every time, however noisy it is. A text
 * made up for another language changes with every small difference, and takes more tokens per word, because its words do not
 * exist.
 */
export function judgeAgain(first: Hearing, others: readonly Hearing[]): LanguageJudgement {
  const hearings = [first, ...others]
  const texts = hearings.map(({ text }) => wordsOf(text))
  const certainty = meanOf(hearings.map((hearing) => hearing.certainty))
  // The decoder is sure that there is no text in music, but not in a language that it does not know.
  if (texts.every(({ length }) => length === 0)) return judged(certainty)
  const likeness = meanOf(
    texts.flatMap((one, i) => texts.slice(i + 1).map((other) => likenessOf(one, other))),
  )
  const words = texts[0]?.length ?? 0
  const tokens = Math.min(mostTokens, first.tokens / Math.max(1, words))
  const score =
    certainty + likenessWeight * (likeness - usualLikeness) - tokensWeight * (tokens - usualTokens)
  return judged(weighed(score, words))
}

/** 1 for the same words, 0 for no word in common. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  return 1 - wordDistance(one, other) / Math.max(1, one.length, other.length)
}

/** What further tries usually add to the score of clear English. */
const likenessOfEnglish = likenessWeight * (0.9 - usualLikeness)

/** Judges from a single hearing that leaves no doubt. */
export function judgeOne({
  certainty,
  text,
}: Pick<Hearing, 'certainty' | 'text'>): LanguageJudgement {
  const score = weighed(certainty, wordsOf(text).length)
  if (score < sureScore) return judged(score)
  return { score, confidence: confidenceOf(score + likenessOfEnglish) }
}

/**
 * Few words say little about their language: a word of another one may be written as a similar English word, and a clear
 * English one be misheard. So a score is drawn towards the even one: by half for one word, by a tenth for three.
 */
function weighed(score: number, words: number): number {
  return words === 0 ? score : evenScore + (score - evenScore) * (words ** 2 / (words ** 2 + 1))
}

function judged(score: number): LanguageJudgement {
  return { score: Math.min(0, score), confidence: confidenceOf(score) }
}

/** As many recordings of English score lower as recordings of other languages score higher. */
const evenScore = -0.5
const steepness = 4.8

/**
 * A lower score may not be English: a confidence below 0.7. A warning too many harms less than an invented text that
 * nobody warns about.
 */
export const sureScore = -0.32

function confidenceOf(score: number): number {
  const share = 1 / (1 + Math.exp(steepness * (evenScore - score)))
  return thousandths(share)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}

/** The number of words to insert, delete or replace to turn one text into the other. */
export function wordDistance(one: readonly string[], other: readonly string[]): number {
  const known = [...new Set([...one, ...other])]
  // A letter stands for each word.
  const written = (words: readonly string[]): string =>
    String.fromCharCode(...words.map((word) => known.indexOf(word)))
  return distance(written(one), written(other))
}

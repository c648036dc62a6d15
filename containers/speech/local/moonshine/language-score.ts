import { wordDistance } from '../word-distance.ts'

/** How sure the decoder was of its text, for a stretch of sound. */
export type Certainty = { readonly logProbability: number; readonly judged: number }

/**
 * The mean log-probability of a token: near 0 for clear English, far below for sounds that the model cannot recognise.
 */
export function meanCertainty(parts: readonly Certainty[]): number {
  const judged = parts.reduce((sum, part) => sum + part.judged, 0)
  if (judged === 0) return 0
  return parts.reduce((sum, part) => sum + part.logProbability, 0) / judged
}

/** English in noise and other languages overlap between these values. */
const surely = -0.3
const hardly = -1.3

export function isInDoubt(certainty: number): boolean {
  return certainty < surely && certainty > hardly
}

/** Whether what was heard is English. */
export type LanguageJudgement = {
  /** On the scale of `meanCertainty`. */
  readonly score: number
  /** 0 … 1; 0.5 means that as many recordings of English score lower as recordings of other languages score higher. */
  readonly confidence: number
}

/** The text that was recognised in a sound, and its number of tokens. */
export type Hearing = {
  readonly certainty: number
  readonly text: string
  readonly tokens: number
}

/**
 * Fitted to recordings of some sixty voices; `npm run bench -- speech --languages` checks them with other recordings.
 */
const likenessWeight = 0.83
const usualLikeness = 0.45
const tokensWeight = 0.15
const usualTokens = 1.3
const mostTokens = 3

/**
 * Compares two hearings of a sound. English gives the same text both times, however noisy it is. A text that is made up
 * for another language changes with every small difference, and takes more tokens per word, because its words do not
 * exist.
 */
export function judgeTwo(first: Hearing, second: Hearing): LanguageJudgement {
  const [one, other] = [wordsOf(first.text), wordsOf(second.text)]
  const longest = Math.max(one.length, other.length)
  const certainty = (first.certainty + second.certainty) / 2
  // The decoder is sure that there is no text in music, but not in a language that it does not know.
  if (longest === 0) return judged(certainty)
  const likeness = 1 - wordDistance(one, other) / longest
  const tokens = Math.min(mostTokens, first.tokens / Math.max(1, one.length))
  return judged(
    certainty + likenessWeight * (likeness - usualLikeness) - tokensWeight * (tokens - usualTokens),
  )
}

/** What a second hearing usually adds for clear English. */
const likenessOfEnglish = likenessWeight * (0.9 - usualLikeness)

/** Judges from a single hearing that leaves no doubt. */
export function judgeOne(certainty: number): LanguageJudgement {
  if (certainty <= hardly) return judged(certainty)
  return { score: certainty, confidence: confidenceOf(certainty + likenessOfEnglish) }
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
  return Math.round(share * 1_000) / 1_000
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}

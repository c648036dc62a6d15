import { wordDistance } from './word-distance.ts'

/** How sure the decoder was of what it wrote, for a stretch of sound. */
export type Certainty = { readonly logProbability: number; readonly judged: number }

/** Mean log-probability of a token: near 0 for clear English, far below for what the model cannot read. */
export function meanCertainty(parts: readonly Certainty[]): number {
  const judged = parts.reduce((sum, part) => sum + part.judged, 0)
  if (judged === 0) return 0
  return parts.reduce((sum, part) => sum + part.logProbability, 0) / judged
}

/** Between these, English in noise and other languages meet. */
const surely = -0.3
const hardly = -1.3

export function isInDoubt(certainty: number): boolean {
  return certainty < surely && certainty > hardly
}

/** Whether what was heard is English. */
export type LanguageJudgement = {
  /** On the scale of the mean log-probability of a token. */
  readonly score: number
  /** 0 … 1; 0.5 where as many recordings of English score lower as recordings of other languages score higher. */
  readonly confidence: number
}

/** What was written of a sound, and in how many tokens. */
export type Hearing = {
  readonly certainty: number
  readonly text: string
  readonly tokens: number
}

/** From recordings of some sixty voices; `npm run bench -- speech --languages` judges them with other ones. */
const likenessWeight = 0.83
const usualLikeness = 0.45
const tokensWeight = 0.15
const usualTokens = 1.3
const mostTokens = 3

/**
 * A language that is known reads the same both times, however noisy it is; what is made up to fit a foreign one
 * changes with every breath, and takes more tokens for a word, because its words are none.
 */
export function judgeTwo(first: Hearing, second: Hearing): LanguageJudgement {
  const [one, other] = [wordsOf(first.text), wordsOf(second.text)]
  const longest = Math.max(one.length, other.length)
  const certainty = (first.certainty + second.certainty) / 2
  // Of music it is sure that there is nothing to write; of a language it cannot read it is not.
  if (longest === 0) return judged(certainty)
  const likeness = 1 - wordDistance(one, other) / longest
  const tokens = Math.min(mostTokens, first.tokens / Math.max(1, one.length))
  return judged(
    certainty + likenessWeight * (likeness - usualLikeness) - tokensWeight * (tokens - usualTokens),
  )
}

/** How much a second hearing usually says for clear English. */
const likenessOfEnglish = likenessWeight * (0.9 - usualLikeness)

/** What leaves no doubt is heard once. */
export function judgeOne(certainty: number): LanguageJudgement {
  if (certainty <= hardly) return judged(certainty)
  return { score: certainty, confidence: confidenceOf(certainty + likenessOfEnglish) }
}

function judged(score: number): LanguageJudgement {
  return { score: Math.min(0, score), confidence: confidenceOf(score) }
}

/** What scores lower is perhaps not English. */
export const sureScore = -0.5
const steepness = 4.8

function confidenceOf(score: number): number {
  const share = 1 / (1 + Math.exp(steepness * (sureScore - score)))
  return Math.round(share * 1_000) / 1_000
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}

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
const hardly = -1

export function isInDoubt(certainty: number): boolean {
  return certainty < surely && certainty > hardly
}

/** What was written of the same sound, heard twice in slightly different ways. */
export type Hearing = { readonly certainty: number; readonly text: string }

const weight = 0.5
const usualLikeness = 0.45

/**
 * A language that is known reads the same both times, however noisy it is; what is made up to fit a foreign one
 * changes with every breath.
 */
export function scoreOfTwo(first: Hearing, second: Hearing): number {
  const [one, other] = [wordsOf(first.text), wordsOf(second.text)]
  const longest = Math.max(one.length, other.length)
  const certainty = (first.certainty + second.certainty) / 2
  // Of music it is sure that there is nothing to write; of a language it cannot read it is not.
  if (longest === 0) return certainty
  const likeness = 1 - wordDistance(one, other) / longest
  return certainty + weight * (likeness - usualLikeness)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}

import type { Word } from '../timeline/speech.ts'
import { thousandths } from '../numbers/thousandths.ts'
import { z } from 'zod'

/** Whisper itself repeats a recognition with a lower mean log-probability than -1. */
const unsure = Math.exp(-1)

/** A provider's confidence as it comes, 0 … 1; anything else counts as none. */
export const certainty = z.number().min(0).max(1).nullish().catch(undefined)

/** What a provider's own confidence, 0 … 1, suggests about a text. */
export function confidenceIn(confidence: number | undefined): {
  readonly confidence?: number
  readonly doubt?: string
} {
  if (confidence === undefined) return {}
  const rounded = thousandths(confidence)
  return { confidence: rounded, ...(confidence < unsure && { doubt: doubtAt(confidence) }) }
}

const doubtAt = (confidence: number): string =>
  `the speech provider itself is not sure of what it heard, so the text may be wrong (confidence ${confidence.toFixed(2)}).`

/** A word, and how certain the provider is of it, if that tells. */
export function sureOf(word: Word, confidence: number | null | undefined): Word {
  return typeof confidence === 'number' ? { ...word, confidence: thousandths(confidence) } : word
}

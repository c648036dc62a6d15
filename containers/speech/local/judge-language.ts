/** How sure the decoder was of what it wrote, for a stretch of sound. */
export type Certainty = { readonly logProbability: number; readonly judged: number }

/** The first word is the hardest to be sure of; of a sentence it is a small part, of a single word it is all. */
const fewTokens = 6
const leniency = 0.7

/** Mean log-probability of a token: near 0 for clear English, far below for what the model cannot read. */
export function languageScore(parts: readonly Certainty[]): number {
  const judged = parts.reduce((sum, part) => sum + part.judged, 0)
  if (judged === 0) return 0
  const mean = parts.reduce((sum, part) => sum + part.logProbability, 0) / judged
  return judged <= fewTokens ? mean * leniency : mean
}

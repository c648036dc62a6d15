import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** How much each trait suggests an outdoor picture; docs/decisions/028 says which pictures it was learnt from. */
export const learnt = z
  .object({ bias: z.number(), weights: z.array(z.number()).length(480) })
  .parse(JSON.parse(readFileSync(new URL('./outdoors.json', import.meta.url), 'utf8')))

/** How much a picture looks like one taken outdoors: more likely than not above 0, and certain from about 2 on. */
export function outdoorness(traits: Float32Array): number {
  return learnt.weights.reduce((sum, weight, i) => sum + weight * (traits[i] ?? 0), learnt.bias)
}

/**
 * Of the photographs outside the training set, no indoor one scored more than 0.8, and half of the outdoor ones did.
 */
const sureMean = 2
const likelyEach = 1
const likelyShare = 0.75

/** Judges all pictures of a video together. */
export function isOutdoors(pictures: readonly number[]): boolean {
  if (pictures.length === 0) return false
  const mean = pictures.reduce((sum, each) => sum + each, 0) / pictures.length
  const likely = pictures.filter((each) => each >= likelyEach).length
  return mean >= sureMean && likely >= likelyShare * pictures.length
}

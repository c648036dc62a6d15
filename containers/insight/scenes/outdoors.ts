import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** How much each trait speaks for it; docs/decisions/028 says of which pictures it was learnt. */
export const learnt = z
  .object({ bias: z.number(), weights: z.array(z.number()).length(480) })
  .parse(JSON.parse(readFileSync(new URL('./outdoors.json', import.meta.url), 'utf8')))

/** How much a picture looks like one taken under the sky: above 0 more than not, and sure from about 2 on. */
export function outdoorness(traits: Float32Array): number {
  return learnt.weights.reduce((sum, weight, i) => sum + weight * (traits[i] ?? 0), learnt.bias)
}

/** Of the photographs it was not learnt from none that was taken indoors had more than 0.8, half of the others had more. */
const sureMean = 2
const likelyEach = 1
const likelyShare = 0.75

/** Of the pictures of a whole video. */
export function isOutdoors(pictures: readonly number[]): boolean {
  if (pictures.length === 0) return false
  const mean = pictures.reduce((sum, each) => sum + each, 0) / pictures.length
  const likely = pictures.filter((each) => each >= likelyEach).length
  return mean >= sureMean && likely >= likelyShare * pictures.length
}

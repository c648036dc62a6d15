import type { SeenFace } from '../faces/face-boxes.ts'
import type { RgbPicture, Sight } from '../objects/object-model.ts'

/** Finds where the heads of people must be whose faces are not seen. */
export type FindBodies = (picture: RgbPicture, signal: AbortSignal) => Promise<SeenFace[]>

/** The model is seldom wrong about people with this score in several pictures, which `isBody` requires. */
const leastScore = 0.34
/** And seldom in a single picture about people with this score. */
const leastAlone = 0.6
const leastTimes = 2
/** Where the head is in the box of a person who stands or sits. */
const head = { wide: 0.4, high: 0.25 }

export function headsOf({ objects }: Sight): SeenFace[] {
  return objects.flatMap(({ label, score, left, right, top, bottom }) => {
    if (label !== 'person' || score < leastScore) return []
    const [middle, wide] = [(left + right) / 2, (right - left) * head.wide]
    const below = top + (bottom - top) * head.high
    return [{ score, left: middle - wide / 2, right: middle + wide / 2, top, bottom: below }]
  })
}

export function isBody(track: readonly SeenFace[]): boolean {
  return track.length >= leastTimes || track.some(({ score }) => score >= leastAlone)
}

import type { SeenPerson, SeenShot } from '../../timeline/seen-shots.ts'

/** Weight is how large somebody is seen, and how often. */
export type Weighed = {
  readonly person: SeenPerson
  readonly weight: number
  readonly size: number
  /** Where the middle of the face usually is, as shares of the picture. */
  readonly across: number
  readonly down: number
}

/** A face of less than this share of the largest one belongs to the background. */
const leastSize = 0.5
/** Who is seen in a smaller share of the shot passes by, unless nobody is seen more. */
const leastSeen = 0.2
/** What is like a face in fewer looks may be none. */
const leastLooks = 4

/** Whom a shot is about, the weightiest first. */
export function mainPeople({ people, looks }: SeenShot): Weighed[] {
  const weighed = people.map((person) => {
    const size = mean(person.map(({ left, right }) => right - left))
    const across = mean(person.map(({ left, right }) => (left + right) / 2))
    const down = mean(person.map(({ top, bottom }) => (top + bottom) / 2))
    return { person, size, weight: size * person.length, across, down }
  })
  const largest = Math.max(0, ...weighed.map(({ weight }) => weight))
  const main = weighed.find(({ weight }) => weight === largest)
  return weighed
    .filter(({ person, size }) => {
      const isLarge = size >= leastSize * (main?.size ?? 0)
      const isMain = person === main?.person && person.length >= leastLooks
      return isLarge && (isMain || person.length >= leastSeen * looks.length)
    })
    .sort((a, b) => b.weight - a.weight)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

import type { SeenPerson, SeenShot } from '../../timeline/seen-shots.ts'

/** Weight is how large somebody is seen, and how often. */
type Weighed = {
  readonly person: SeenPerson
  readonly weight: number
  readonly size: number
}

/** A face of less than this share of the largest one belongs to the background. */
const leastSize = 0.5
/** Who is seen in a smaller share of the shot passes by. */
const leastSeen = 0.2

/** Whom a shot is about, the weightiest first. */
export function mainPeople({ people, looks }: SeenShot): Weighed[] {
  const weighed = people.map((person) => {
    const size = mean(person.map(({ left, right }) => right - left))
    return { person, size, weight: size * person.length }
  })
  const largest = Math.max(0, ...weighed.map(({ weight }) => weight))
  const main = weighed.find(({ weight }) => weight === largest)
  return weighed
    .filter(({ person, size }) => {
      const isLarge = size >= leastSize * (main?.size ?? 0)
      return isLarge && person.length >= leastSeen * looks.length
    })
    .sort((a, b) => b.weight - a.weight)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

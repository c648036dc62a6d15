import type { SeenPerson, SeenShot } from '../../timeline/seen-shots.ts'
import { meanOf } from '../../numbers/mean.ts'

/** `weight`: how large a person is seen, and how often. */
export type WeighedPerson = {
  readonly person: SeenPerson
  readonly weight: number
  readonly size: number
  /** Where the middle of the face usually is, as shares of the picture. */
  readonly across: number
  readonly down: number
}

/** A face smaller than this share of the largest one belongs to the background. */
const leastSize = 0.5
/** A person seen in a smaller share of the shot is passing by, unless nobody is seen more often. */
const leastSeen = 0.2
/** Something seen in fewer looks may not be a face. A person who is alone in the picture in this many is not passing by. */
const leastLooks = 4

/** The people whom a shot is about, the one with the most weight first. */
export function mainPeople({ people, looks }: SeenShot): WeighedPerson[] {
  const weighed = people.map((person) => {
    const size = meanOf(person.map(({ left, right }) => right - left))
    const across = meanOf(person.map(({ left, right }) => (left + right) / 2))
    const down = meanOf(person.map(({ top, bottom }) => (top + bottom) / 2))
    return { person, size, weight: size * person.length, across, down }
  })
  const largest = Math.max(0, ...weighed.map(({ weight }) => weight))
  const main = weighed.find(({ weight }) => weight === largest)
  const large = weighed.filter(({ size }) => size >= leastSize * (main?.size ?? 0))
  const usual = large.filter(({ person }) => {
    const isMain = person === main?.person && person.length >= leastLooks
    return isMain || person.length >= leastSeen * looks.length
  })
  const alone = large.filter(
    (one) =>
      !usual.includes(one) &&
      isAlone(
        one.person,
        usual.map(({ person }) => person),
      ),
  )
  return [...usual, ...alone].sort((a, b) => b.weight - a.weight)
}

/** Whether a person is seen alone for a while: before all others come, after they have left, or between two of them. */
function isAlone(person: SeenPerson, others: readonly SeenPerson[]): boolean {
  const spans = others.map((other) => [other[0]?.seconds ?? 0, other.at(-1)?.seconds ?? 0] as const)
  const places = person.filter(
    ({ seconds }) => !spans.some(([from, to]) => seconds >= from && seconds <= to),
  )
  return places.length >= leastLooks
}

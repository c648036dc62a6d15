import { firstPlace } from '../../../worker/contract/first-place.ts'
import type { SeenPerson, SeenPlace } from '../../timeline/seen-shots.ts'
import { cropPath, type Corridor, type Knot } from './crop-path.ts'
import type { WeighedPerson } from './main-people.ts'
import { boxBetween } from '../../numbers/picture-box.ts'

/** From one moment to another. */
export type MomentSpan = { readonly startSeconds: number; readonly endSeconds: number }

/** The middle of a span of this length that does not leave the picture. */
export function keepInside(middle: number, length: number): number {
  return Math.min(1 - length / 2, Math.max(length / 2, middle))
}

/** The moments of a span at which any of them is seen. */
export function momentsIn(
  { startSeconds, endSeconds }: MomentSpan,
  people: readonly WeighedPerson[],
): number[] {
  return people
    .flatMap(({ person }) =>
      person.slice(placeFrom(person, startSeconds), placeFrom(person, endSeconds)),
    )
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b)
}

export function pathOf(
  people: readonly SeenPerson[],
  looks: readonly number[],
  span: MomentSpan,
  sides: CorridorSides,
): Knot[] {
  const seen = corridorsOf(people, looks, sides)
  const corridors = seen.length > 0 ? seen : [nearestCorridor(people, span, sides)]
  return cropPath(corridors, { start: span.startSeconds, end: span.endSeconds })
}

/** Hair and ears extend beyond the box of a face, by this share of it. */
const around = 0.35
/** The share of the room beside the faces that the middle may use before it moves, with and without their hair. */
const usedRoom = { withHair: 0.6, faceAlone: 0.35 }

type CorridorSides = { readonly isAcross: boolean; readonly side: number }

/** The stretch of the side that people occupy at one moment; undefined if none of them is near. */
function stretchAt(people: readonly SeenPerson[], seconds: number, { isAcross }: CorridorSides) {
  const seen = people.filter((person) => isSeen(person, seconds))
  const places = (seen.length > 0 ? seen : people).flatMap(
    (person) => placeAt(person, seconds) ?? [],
  )
  if (places.length === 0) return undefined
  const spans = places.map(({ left, right, top, bottom }) => {
    const [from, to] = isAcross ? [left, right] : [top, bottom]
    const hair = around * (to - from)
    return { from: from - hair, to: to + hair, faceFrom: from, faceTo: to }
  })
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
    faces:
      Math.max(...spans.map(({ faceTo }) => faceTo)) -
      Math.min(...spans.map(({ faceFrom }) => faceFrom)),
  }
}

/** Whether a person was found both before and after a moment, or at the moment itself. */
function isSeen(person: SeenPerson, seconds: number): boolean {
  const [first, last] = [person[0], person.at(-1)]
  return (
    first !== undefined && last !== undefined && first.seconds <= seconds && last.seconds >= seconds
  )
}

/** While nobody is seen, the people seen last are assumed to be there for this long. */
const remembered = 0.5

/** The index of the first moment, of some in order, that is not before another one; their number if all are. */
export function firstFrom(moments: readonly number[], seconds: number): number {
  return firstPlace(moments.length, (at) => (moments[at] ?? 0) >= seconds)
}

export function placeFrom(person: SeenPerson, seconds: number): number {
  return firstPlace(person.length, (at) => (person[at]?.seconds ?? 0) >= seconds)
}

function placeAt(person: SeenPerson, seconds: number): SeenPlace | undefined {
  const next = placeFrom(person, seconds)
  const [before, after] = [person[next - 1], person[next]]
  if (!before) return after && after.seconds - seconds <= remembered ? after : undefined
  if (!after) return seconds - before.seconds <= remembered ? before : undefined
  const share = (seconds - before.seconds) / Math.max(1e-6, after.seconds - before.seconds)
  return { seconds, ...boxBetween(before, after, share) }
}

function corridorsOf(
  people: readonly SeenPerson[],
  looks: readonly number[],
  sides: CorridorSides,
): Corridor[] {
  return looks.flatMap((seconds) => {
    const taken = stretchAt(people, seconds, sides)
    if (!taken) return []
    const middle = (taken.from + taken.to) / 2
    const room = Math.max(
      (usedRoom.withHair * (sides.side - (taken.to - taken.from))) / 2,
      // Faces that are nearly as wide as the crop.
      (usedRoom.faceAlone * (sides.side - taken.faces)) / 2,
      0,
    )
    const [from, to] = [
      keepInside(middle - room, sides.side),
      keepInside(middle + room, sides.side),
    ]
    return [{ seconds, from, to }]
  })
}

/** The place of people who turn away for a whole scene: where they were last seen before it, or are first seen after it. */
function nearestCorridor(
  people: readonly SeenPerson[],
  span: MomentSpan,
  sides: CorridorSides,
): Corridor {
  const places = people.flatMap((person) => nearestPlace(person, span) ?? [])
  const [nearest] = places.sort((a, b) => secondsAway(a, span) - secondsAway(b, span))
  const seconds = nearest ? [nearest.seconds] : []
  const { startSeconds } = span
  const [corridor = { from: 0.5, to: 0.5 }] = corridorsOf(people, seconds, sides)
  return { ...corridor, seconds: startSeconds }
}

/** The place of somebody that is nearest to a span in time. */
export function nearestPlace(person: SeenPerson, span: MomentSpan): SeenPlace | undefined {
  const next = placeFrom(person, span.startSeconds)
  const [before, after] = [person[next - 1], person[next]]
  if (!before || !after) return before ?? after
  return secondsAway(before, span) < secondsAway(after, span) ? before : after
}

function secondsAway({ seconds }: SeenPlace, { startSeconds, endSeconds }: MomentSpan): number {
  return Math.max(startSeconds - seconds, seconds - endSeconds, 0)
}

/** Faces may touch the edge in a few pictures. */
const mostOutside = 0.1

export function fitsTogether(
  people: readonly SeenPerson[],
  looks: readonly number[],
  sides: CorridorSides,
): boolean {
  if (people.length < 2) return true
  const wide = looks.filter((seconds) => {
    const taken = stretchAt(people, seconds, sides)
    return taken !== undefined && taken.to - taken.from > sides.side
  })
  return wide.length <= mostOutside * looks.length
}

import { pixelsOf, type Size } from '../../../worker/contract/layout/element-layout.ts'
import { lastAt } from '../../../worker/contract/layout/kept-time.ts'
import type { AskedScene, ReframeMode } from '../../../worker/contract/options/picture/reframe.ts'
import type { SeenPerson, SeenPlace, SeenShot, SpeakingTurn } from '../../timeline/seen-shots.ts'
import { cropPath, type Corridor, type Knot } from './crop-path.ts'
import { mainPeople, type Weighed } from './main-people.ts'

/** Where the middle of what is shown is, as shares of the picture. */
export type Aim = { readonly across: readonly Knot[]; readonly down: readonly Knot[] }

/** What is shown of a clip from one moment to another. */
export type Scene = {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly mode: ReframeMode
  /** One for a crop, two for halves, none for the whole picture. */
  readonly aims: readonly Aim[]
  readonly faces: number
}

type Span = Pick<Scene, 'startSeconds' | 'endSeconds'>

type Shape = {
  readonly picture: Size
  /** Width by height of the result. */
  readonly ratio: number
}

/** The sides of a crop, as shares of the picture. */
export type CropShares = { readonly wide: number; readonly high: number }

/** The largest part of the picture that has this shape. */
function cropShares({ width, height }: Size, ratio: number): CropShares {
  const isWider = width > height * ratio
  return isWider
    ? { wide: (height * ratio) / width, high: 1 }
    : { wide: 1, high: width / ratio / height }
}

/** What each of two halves shows, one above the other. */
export function halfShares({ width, height }: Size, ratio: number): CropShares {
  const wide = Math.min(0.5, (2 * ratio * height) / width)
  return { wide, high: (wide * width) / (2 * ratio) / height }
}

/** What is shown of each shot, and in place of it what was asked for. */
export function planScenes(
  shots: readonly SeenShot[],
  asked: readonly AskedScene[],
  shape: Shape,
): Scene[] {
  const found = shots.flatMap((shot) => scenesOf(withoutGlimpses(shot, asked), shape))
  const own = asked.map((scene) => askedScene(scene, shots, shape))
  const left = own.reduce<readonly Scene[]>(
    (scenes, { startSeconds, endSeconds }) =>
      scenes.flatMap((scene) => [
        ...piece(scene, { from: -Infinity, to: startSeconds }),
        ...piece(scene, { from: endSeconds, to: Infinity }),
      ]),
    found,
  )
  return [...left, ...own].sort((a, b) => a.startSeconds - b.startSeconds)
}

/** What is left of a turn for less than this is a glimpse. */
const leastTurn = 1

/** Of turns that what was asked for cuts short, glimpses go to the turn beside them. */
function withoutGlimpses(shot: SeenShot, asked: readonly AskedScene[]): SeenShot {
  const turns = asked
    .filter(({ startTime, endTime }) => startTime < shot.endSeconds && endTime > shot.startSeconds)
    .reduce<readonly SpeakingTurn[]>((before, { startTime, endTime }) => {
      return before.flatMap((turn) => [
        ...piece(turn, { from: -Infinity, to: startTime }),
        ...piece(turn, { from: endTime, to: Infinity }),
      ])
    }, shot.turns ?? [])
  const isGlimpse = (turn: Span): boolean => turn.endSeconds - turn.startSeconds < leastTurn
  const kept: SpeakingTurn[] = []
  for (const turn of turns) {
    const before = kept.at(-1)
    const isBeside = before?.endSeconds === turn.startSeconds
    if (before && isBeside && (isGlimpse(before) || isGlimpse(turn))) {
      const { startSeconds } = before
      const { endSeconds } = turn
      const longer = isGlimpse(before) ? turn : before
      kept[kept.length - 1] = { ...longer, startSeconds, endSeconds }
    } else kept.push(turn)
  }
  return { ...shot, turns: kept }
}

/** What is left of a scene for less than this has no picture. */
const leastScene = 0.03

function piece<Part extends Span>(
  scene: Part,
  { from, to }: { readonly from: number; readonly to: number },
): Part[] {
  const startSeconds = Math.max(scene.startSeconds, from)
  const endSeconds = Math.min(scene.endSeconds, to)
  return endSeconds - startSeconds > leastScene ? [{ ...scene, startSeconds, endSeconds }] : []
}

function askedScene(
  { startTime, endTime, ...asked }: AskedScene,
  shots: readonly SeenShot[],
  shape: Shape,
): Scene {
  const { mode = 'crop', x = '50%', y = '50%' } = asked
  const span = { startSeconds: startTime, endSeconds: endTime }
  if (mode === 'wide') return { ...span, mode, aims: [], faces: 0 }
  if (mode === 'crop') {
    const { width, height } = shape.picture
    const shares = cropShares(shape.picture, shape.ratio)
    const at = {
      left: (pixelsOf(x, width) ?? 0) / width,
      top: (pixelsOf(y, height) ?? 0) / height,
    }
    return { ...span, mode, faces: 0, aims: [still(startTime, at.left, at.top, shares)] }
  }
  const people = shots
    .filter((shot) => shot.startSeconds < endTime && shot.endSeconds > startTime)
    .flatMap((shot) => mainPeople(shot))
    .sort((a, b) => b.weight - a.weight)
  const [one, other] = people
  const shares = halfShares(shape.picture, shape.ratio)
  const quarters = [0.25, 0.75].map((across) => still(startTime, across, 0.5, shares))
  if (!one || !other) return { ...span, mode, faces: 0, aims: quarters }
  return { ...span, mode, faces: 2, aims: halvesOf(span, [one, other], shares) }
}

function still(seconds: number, across: number, down: number, { wide, high }: CropShares): Aim {
  return {
    across: [{ seconds, at: within(across, wide) }],
    down: [{ seconds, at: within(down, high) }],
  }
}

/** The middle of a span of this length that does not leave the picture. */
function within(middle: number, length: number): number {
  return Math.min(1 - length / 2, Math.max(length / 2, middle))
}

/** Who speaks is shown alone where not all fit in, and cut to another when that one speaks. */
function scenesOf(shot: SeenShot, shape: Shape): Scene[] {
  const people = mainPeople(shot)
  const whole = sceneOf({ ...shot, people }, shape)
  const { turns = [] } = shot
  if (turns.length === 0 || whole.mode === 'crop') return [whole]
  return turns.map(({ who, ...span }) => {
    const looks = shot.looks.slice(
      firstFrom(shot.looks, span.startSeconds),
      firstFrom(shot.looks, span.endSeconds),
    )
    const shown = who ? people.filter(({ person }) => person === who) : nearby(people, span)
    return sceneOf({ ...span, looks, people: shown }, shape)
  })
}

/** Who was not seen for this long before a span, and is not for this long after it, may have left. */
const nearSeconds = 10

/** Who is seen near a span; everybody if nobody is. */
function nearby(people: readonly Weighed[], span: Span): Weighed[] {
  const { startSeconds, endSeconds } = span
  const near = people.filter(({ person }) => {
    const next = person[placeFrom(person, startSeconds - nearSeconds)]
    return next !== undefined && next.seconds < endSeconds + nearSeconds
  })
  const shown = near.length > 0 ? near : people
  return shown.map((one) => ({ ...one, person: heldIn(one.person, span) }))
}

/** Who turns away for all of a span is believed to stay there. */
function heldIn(person: SeenPerson, span: Span): SeenPerson {
  const { startSeconds, endSeconds } = span
  const next = person[placeFrom(person, startSeconds)]
  if (next && next.seconds < endSeconds) return person
  const place = nearestPlace(person, span)
  return place ? [startSeconds, endSeconds].map((seconds) => ({ ...place, seconds })) : person
}

type Shown = Span & {
  readonly looks: readonly number[]
  /** The weightiest first. */
  readonly people: readonly Weighed[]
}

function sceneOf({ looks, people, ...span }: Shown, shape: Shape): Scene {
  const { startSeconds } = span
  const shares = cropShares(shape.picture, shape.ratio)
  const middle = still(startSeconds, 0.5, 0.5, shares)
  const cropped = (faces: number, aim: Aim): Scene => ({
    ...span,
    mode: 'crop',
    aims: [aim],
    faces,
  })
  if (people.length === 0) return cropped(0, middle)
  const isAcross = shares.wide < 1
  const side = isAcross ? shares.wide : shares.high
  const follow = (who: readonly SeenPerson[]): Aim => {
    const path = pathOf(who, looks, span, { isAcross, side })
    return isAcross ? { ...middle, across: path } : { ...middle, down: path }
  }
  const everyone = people.map(({ person }) => person)
  if (fitsTogether(everyone, looks, { isAcross, side })) {
    return cropped(everyone.length, follow(everyone))
  }
  const [one, other, third] = people
  if (!one || !other) return cropped(1, follow(everyone))
  const halves = halfShares(shape.picture, shape.ratio)
  const isTwo = !third || third.weight < other.weight / 2
  const fits = Math.max(one.size, other.size) < 0.8 * halves.wide
  if (isTwo && fits && isAcross && shape.ratio <= 1) {
    const aims = halvesOf(span, [one, other], halves, looks)
    return { ...span, mode: 'halves', aims, faces: 2 }
  }
  return { ...span, mode: 'wide', aims: [], faces: people.length }
}

/** A face sits a little above the middle of its half. */
const aboveMiddle = 0.08

/** Who is farther left comes first. */
function halvesOf(
  span: Span,
  people: readonly Weighed[],
  shares: CropShares,
  looks: readonly number[] = momentsIn(span, people),
): Aim[] {
  return people
    .toSorted((a, b) => a.across - b.across)
    .map(({ person, down }) => ({
      across: pathOf([person], looks, span, { isAcross: true, side: shares.wide }),
      down: [
        { seconds: span.startSeconds, at: within(down + aboveMiddle * shares.high, shares.high) },
      ],
    }))
}

/** When any of them is seen in a span. */
function momentsIn({ startSeconds, endSeconds }: Span, people: readonly Weighed[]): number[] {
  return people
    .flatMap(({ person }) =>
      person.slice(placeFrom(person, startSeconds), placeFrom(person, endSeconds)),
    )
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b)
}

function pathOf(
  people: readonly SeenPerson[],
  looks: readonly number[],
  span: Span,
  sides: Sides,
): Knot[] {
  const seen = corridorsOf(people, looks, sides)
  const corridors = seen.length > 0 ? seen : [nearestCorridor(people, span, sides)]
  return cropPath(corridors, { start: span.startSeconds, end: span.endSeconds })
}

/** Hair and ears are outside of the box of a face. */
const around = 0.35
/** How much of the room beside the faces the middle may use before it moves. */
const usedRoom = 0.6

type Sides = { readonly isAcross: boolean; readonly side: number }

/** The stretch that people take at one moment; undefined if none of them is near. */
function stretchAt(people: readonly SeenPerson[], seconds: number, { isAcross }: Sides) {
  const places = people.flatMap((person) => placeAt(person, seconds) ?? [])
  if (places.length === 0) return undefined
  const spans = places.map(({ left, right, top, bottom }) => {
    const [from, to] = isAcross ? [left, right] : [top, bottom]
    return { from: from - around * (to - from), to: to + around * (to - from) }
  })
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  }
}

/** Who was seen is believed to be there for this long. */
const remembered = 0.5

/** The index of the first of some moments in order that is not before another one; their number if all are. */
function firstFrom(moments: readonly number[], seconds: number): number {
  return lastAt(moments.length, (at) => (moments[at] ?? 0) < seconds) + 1
}

function placeFrom(person: SeenPerson, seconds: number): number {
  return lastAt(person.length, (at) => (person[at]?.seconds ?? 0) < seconds) + 1
}

function placeAt(person: SeenPerson, seconds: number): SeenPlace | undefined {
  const next = placeFrom(person, seconds)
  const [before, after] = [person[next - 1], person[next]]
  if (!before) return after && after.seconds - seconds <= remembered ? after : undefined
  if (!after) return seconds - before.seconds <= remembered ? before : undefined
  const share = (seconds - before.seconds) / Math.max(1e-6, after.seconds - before.seconds)
  const mix = (a: number, b: number): number => a + share * (b - a)
  return {
    seconds,
    left: mix(before.left, after.left),
    right: mix(before.right, after.right),
    top: mix(before.top, after.top),
    bottom: mix(before.bottom, after.bottom),
  }
}

function corridorsOf(
  people: readonly SeenPerson[],
  looks: readonly number[],
  sides: Sides,
): Corridor[] {
  return looks.flatMap((seconds) => {
    const taken = stretchAt(people, seconds, sides)
    if (!taken) return []
    const middle = (taken.from + taken.to) / 2
    const room = (usedRoom * Math.max(0, sides.side - (taken.to - taken.from))) / 2
    const [from, to] = [within(middle - room, sides.side), within(middle + room, sides.side)]
    return [{ seconds, from, to }]
  })
}

/** Where people who turn away for all of a scene were seen last, or are seen first. */
function nearestCorridor(people: readonly SeenPerson[], span: Span, sides: Sides): Corridor {
  const places = people.flatMap((person) => nearestPlace(person, span) ?? [])
  const [nearest] = places.sort((a, b) => secondsAway(a, span) - secondsAway(b, span))
  const seconds = nearest ? [nearest.seconds] : []
  const { startSeconds } = span
  const [corridor = { from: 0.5, to: 0.5 }] = corridorsOf(people, seconds, sides)
  return { ...corridor, seconds: startSeconds }
}

/** The place of somebody that is nearest to a span in time. */
function nearestPlace(person: SeenPerson, span: Span): SeenPlace | undefined {
  const next = placeFrom(person, span.startSeconds)
  const [before, after] = [person[next - 1], person[next]]
  if (!before || !after) return before ?? after
  return secondsAway(before, span) < secondsAway(after, span) ? before : after
}

function secondsAway({ seconds }: SeenPlace, { startSeconds, endSeconds }: Span): number {
  return Math.max(startSeconds - seconds, seconds - endSeconds, 0)
}

/** Faces may touch the edge in a few pictures. */
const mostOutside = 0.1

function fitsTogether(
  people: readonly SeenPerson[],
  looks: readonly number[],
  sides: Sides,
): boolean {
  if (people.length < 2) return true
  const wide = looks.filter((seconds) => {
    const taken = stretchAt(people, seconds, sides)
    return taken !== undefined && taken.to - taken.from > sides.side
  })
  return wide.length <= mostOutside * looks.length
}

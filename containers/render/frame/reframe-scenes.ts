import { pixelsOf, type Size } from '../../../worker/contract/layout/element-layout.ts'
import type { AskedScene, ReframeMode } from '../../../worker/contract/options/picture/reframe.ts'
import type { SeenPerson, SeenPlace, SeenShot, SpeakingTurn } from '../../timeline/seen-shots.ts'
import { type Knot, placeOn } from './crop-path.ts'
import { mainPeople, type WeighedPerson } from './main-people.ts'
import {
  firstFrom,
  fitsTogether,
  momentsIn,
  nearestPlace,
  pathOf,
  placeFrom,
  keepInside,
  type MomentSpan,
} from './people-path.ts'

/** The path of the middle of the crop, in shares of the picture. */
export type Aim = { readonly across: readonly Knot[]; readonly down: readonly Knot[] }

/** What a result shows of a clip from one moment to another. */
export type Scene = MomentSpan & {
  readonly mode: ReframeMode
  /** One for a crop, two for halves, none for the whole picture. */
  readonly aims: readonly Aim[]
  readonly faces: number
}

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

/** The part that each of two halves shows, one above the other. */
export function halfShares({ width, height }: Size, ratio: number): CropShares {
  const wide = Math.min(0.5, (2 * ratio * height) / width)
  return { wide, high: (wide * width) / (2 * ratio) / height }
}

/** What is shown of each shot, except where the request asks for something else. */
export function planScenes(
  shots: readonly SeenShot[],
  asked: readonly AskedScene[],
  shape: Shape,
): Scene[] {
  const found = shots.flatMap((shot) => scenesOf(withoutGlimpses(shot, asked), shape))
  const own = asked.map((scene) => askedScene(scene, shots, shape))
  return [...without(found, asked), ...own].sort((a, b) => a.startSeconds - b.startSeconds)
}

/** A turn that is cut down to less than this is only a glimpse. */
const leastTurn = 1

/** If the request cuts turns short, glimpses are added to the turn beside them. */
function withoutGlimpses(shot: SeenShot, asked: readonly AskedScene[]): SeenShot {
  const within = asked.filter(
    ({ startTime, endTime }) => startTime < shot.endSeconds && endTime > shot.startSeconds,
  )
  const turns = without(shot.turns ?? [], within)
  const isGlimpse = (turn: MomentSpan): boolean => turn.endSeconds - turn.startSeconds < leastTurn
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

/** What the scenes that are asked for leave of others. */
function without<Part extends MomentSpan>(
  parts: readonly Part[],
  asked: readonly AskedScene[],
): readonly Part[] {
  return asked.reduce(
    (left, { startTime, endTime }) =>
      left.flatMap((part) => [
        ...piece(part, { from: -Infinity, to: startTime }),
        ...piece(part, { from: endTime, to: Infinity }),
      ]),
    parts,
  )
}

/** A scene that is cut down to less than this has no picture. */
const leastScene = 0.03

function piece<Part extends MomentSpan>(
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
    across: [{ seconds, at: keepInside(across, wide) }],
    down: [{ seconds, at: keepInside(down, high) }],
  }
}

/**
 * If not everybody fits into the crop, the speaker is shown alone, with a cut when another speaks. A person who appears
 * elsewhere after all others have left is also cut to.
 */
function scenesOf(shot: SeenShot, shape: Shape): Scene[] {
  const people = mainPeople(shot)
  const whole = sceneOf({ ...shot, people }, shape)
  const { turns = [] } = shot
  if (turns.length === 0 || whole.mode === 'crop') {
    const groups = successions({ ...shot, people }, shape)
    const scenes = groups.length > 1 ? groups.map((group) => sceneOf(group, shape)) : [whole]
    const isHeld = whole.mode === 'halves' ? areMet(people) : keepsSight(shot, scenes, shape)
    return isHeld ? scenes : [{ ...whole, mode: 'wide', aims: [] }]
  }
  return turns.map(({ who, ...span }) => {
    const looks = shot.looks.slice(
      firstFrom(shot.looks, span.startSeconds),
      firstFrom(shot.looks, span.endSeconds),
    )
    const shown = who ? people.filter(({ person }) => person === who) : nearby(people, span)
    return sceneOf({ ...span, looks, people: shown }, shape)
  })
}

/** Whether some of the people are seen at the same moment: those who never are may be one person who runs. */
function areMet(people: readonly WeighedPerson[]): boolean {
  const moments = people.flatMap(({ person }) => person.map(({ seconds }) => seconds))
  return new Set(moments).size < moments.length
}

function keepsSight(shot: SeenShot, scenes: readonly Scene[], shape: Shape): boolean {
  const { wide, high } = cropShares(shape.picture, shape.ratio)
  const isAcross = wide < 1
  const crops = scenes.flatMap(({ mode, aims: [aim], ...span }) =>
    mode === 'crop' && aim
      ? [{ ...span, side: isAcross ? wide : high, path: isAcross ? aim.across : aim.down }]
      : [],
  )
  return crops.length < scenes.length || !losesSight(shot, { isAcross, crops })
}

/** Looks are at most this far apart: a person may have been there for this long before being found. */
const lookSeconds = 0.25

/** The people of a shot who appear one after another, if they are so far apart that the crop has to leave one for the next. */
function successions({ people, looks, ...span }: SceneLooks, shape: Shape): SceneLooks[] {
  const { wide, high } = cropShares(shape.picture, shape.ratio)
  const isAcross = wide < 1
  const middleOf = (place: SeenPlace): number =>
    isAcross ? (place.left + place.right) / 2 : (place.top + place.bottom) / 2
  const groups: { people: WeighedPerson[]; begin: number; last: SeenPlace }[] = []
  for (const one of people.toSorted((a, b) => beginOf(a) - beginOf(b))) {
    const group = groups.at(-1)
    const [first, last] = [one.person[0], one.person.at(-1)]
    if (!first || !last) continue
    const begin = group
      ? (Math.max(group.last.seconds, first.seconds - lookSeconds) + first.seconds) / 2
      : 0
    const isApart =
      group &&
      first.seconds > group.last.seconds &&
      Math.abs(middleOf(first) - middleOf(group.last)) > (isAcross ? wide : high) / 2
    const isLong = begin - (group?.begin ?? 0) >= leastTurn && span.endSeconds - begin >= leastTurn
    if (!group) groups.push({ people: [one], begin: span.startSeconds, last })
    else if (isApart && isLong) groups.push({ people: [one], begin, last })
    else {
      group.people.push(one)
      if (last.seconds > group.last.seconds) group.last = last
    }
  }
  return groups.map(({ people: own, begin }, i) => {
    const endSeconds = groups[i + 1]?.begin ?? span.endSeconds
    const within = looks.slice(firstFrom(looks, begin), firstFrom(looks, endSeconds))
    // They stand in the order in which they appear.
    const weightiest = own.toSorted((a, b) => b.weight - a.weight)
    return { startSeconds: begin, endSeconds, looks: within, people: weightiest }
  })
}

const beginOf = ({ person }: WeighedPerson): number => person[0]?.seconds ?? 0

/** A person who is not seen within this time before or after a span may have left. */
const nearSeconds = 10

/** The people seen near a span; everybody if nobody is. */
function nearby(people: readonly WeighedPerson[], span: MomentSpan): WeighedPerson[] {
  const { startSeconds, endSeconds } = span
  const near = people.filter(({ person }) => {
    const next = person[placeFrom(person, startSeconds - nearSeconds)]
    return next !== undefined && next.seconds < endSeconds + nearSeconds
  })
  const shown = near.length > 0 ? near : people
  return shown.map((one) => ({ ...one, person: heldIn(one.person, span) }))
}

/** A person who turns away for a whole span is assumed to stay there. */
function heldIn(person: SeenPerson, span: MomentSpan): SeenPerson {
  const { startSeconds, endSeconds } = span
  const next = person[placeFrom(person, startSeconds)]
  if (next && next.seconds < endSeconds) return person
  const place = nearestPlace(person, span)
  return place ? [startSeconds, endSeconds].map((seconds) => ({ ...place, seconds })) : person
}

type SceneLooks = MomentSpan & {
  readonly looks: readonly number[]
  /** The weightiest first. */
  readonly people: readonly WeighedPerson[]
}

function sceneOf({ looks, people, ...span }: SceneLooks, shape: Shape): Scene {
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

/** The person farther left comes first. */
function halvesOf(
  span: MomentSpan,
  people: readonly WeighedPerson[],
  shares: CropShares,
  looks: readonly number[] = momentsIn(span, people),
): Aim[] {
  return people
    .toSorted((a, b) => a.across - b.across)
    .map(({ person, down }) => ({
      across: pathOf([person], looks, span, { isAcross: true, side: shares.wide }),
      down: [
        {
          seconds: span.startSeconds,
          at: keepInside(down + aboveMiddle * shares.high, shares.high),
        },
      ],
    }))
}

/** A crop along one side of the picture, as shares of that side. */
type FollowedPath = MomentSpan & { readonly side: number; readonly path: readonly Knot[] }

type Losing = { readonly isAcross: boolean; readonly crops: readonly FollowedPath[] }

/** The largest share of a face that may be outside. */
const mostOutside = 0.25
/** Faces smaller than this share of the largest one belong to the background. */
const leastSize = 0.6
/** At how many of the moments with people in the picture the crop may show none. */
const mostLost = { share: 0.15, looks: 3 } as const

/** Whether crops often miss everybody: people may run faster than a smooth movement can follow. */
function losesSight({ people }: SeenShot, { isAcross, crops }: Losing): boolean {
  const wide = ({ left, right }: SeenPlace): number => right - left
  const places = people.flat()
  const largest = places.reduce((most, place) => Math.max(most, wide(place)), 0)
  const near = places.filter((place) => wide(place) >= leastSize * largest)
  const looks = [...Map.groupBy(near, ({ seconds }) => seconds)]
  const lost = looks.filter(([seconds, seen]) => {
    const crop = crops.findLast(({ startSeconds }) => startSeconds <= seconds) ?? crops[0]
    return crop && !seen.some((place) => isInside(place, crop, isAcross))
  })
  return lost.length > Math.max(mostLost.looks, mostLost.share * looks.length)
}

function isInside(place: SeenPlace, { side, path }: FollowedPath, isAcross: boolean): boolean {
  const [from, to] = isAcross ? [place.left, place.right] : [place.top, place.bottom]
  const middle = placeOn(path, place.seconds) ?? 0.5
  const shown = Math.min(to, middle + side / 2) - Math.max(from, middle - side / 2)
  return shown >= (1 - mostOutside) * Math.min(side, to - from)
}

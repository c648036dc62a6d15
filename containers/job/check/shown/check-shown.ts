import type { Check } from '../../../../worker/contract/job/check.ts'
import { asDoubt, passed, say, type Looked, failedAt } from '../check-tables.ts'
import {
  largestArea,
  likenessTurned,
  matchOf,
  type Match,
  stepsIn,
  meanOff,
} from './compare-on-grid.ts'
import { offInTime } from './off-in-time.ts'
import { isTiny, type Grid } from './picture-grid.ts'
import type { Comparison } from './planned-pictures.ts'
import { medianOf } from '../../../numbers/mean.ts'

export type Flaw = {
  readonly what: string
  /** Whether the film would not be recognised as the one that was asked for. */
  readonly isGross: boolean
  /** Whether this place does not tell that. */
  readonly isUnclear?: boolean
}

/** Whether the film shows, at a few places, what the plan makes from its sources. */
export function checkShown(looked: Looked, places: readonly Comparison[]): Check {
  const name = 'pictures'
  const { tables } = looked
  if (places.length === 0)
    return passed(name, 'A part of what was planned could not be made for a comparison.')
  const isRough = isRoughly(looked)
  const seen = places.flatMap((place) => {
    const isDoubtful = isRough || place.isDamaged
    const matches = matchesIn(place)
    const fault =
      faultIn(place, matches, isDoubtful) ?? (isDoubtful ? undefined : lookOff(place, matches))
    return fault ? [{ fault, place }] : []
  })
  const late = seen.length > 0 || isRough ? undefined : offInTime(places)
  const found = late ? [{ fault: { what: late.what, isGross: false }, place: late.place }] : seen
  const [first] = found
  const isWhole = places.some(({ isAligned }) => isAligned)
  const compared = places.length === 1 ? 'at one place' : `at ${places.length} places`
  const where = isWhole ? 'in all of its pictures' : compared
  if (!first) return passed(name, `It shows what was planned, ${where}.`)
  const gross = found.filter(({ fault }) => fault.isGross)
  const telling = places.filter((place) => {
    const own = found.find((one) => one.place === place)
    return own ? !own.fault.isUnclear : hasContrast(place)
  })
  if (gross.length > 0 && gross.length === telling.length) {
    return failedAt(name, `${first.fault.what}.`, 0, tables.picture.endSeconds)
  }
  const { fault, place } = gross[0] ?? first
  const { at, seconds } = place
  const told = failedAt(name, `${fault.what}: at ${say(at)} s.`, at, at + seconds)
  // In a film of a few pictures, one place is most of it.
  const isMost = seconds > tables.picture.endSeconds / 2
  return isMost && !fault.isGross ? asDoubt(told) : told
}

/** Black pictures look the same whatever was done to them. */
function hasContrast({ grid, planned }: Comparison): boolean {
  return planned.some((one) => (matchOf(grid, one, [one])?.contrast ?? 0) > leastContrast)
}

const leastFaithful = 40

/**
 * Whether the film may differ somewhat from its plan: a copy keeps its range and its lines, which the plan would change; few
 * bits and tiny pictures lose details and faint colours; and the pictures that an AVI has dropped are repeated only as the film
 * is written.
 */
function isRoughly({ planned: { context, clips }, film: { plan } }: Looked): boolean {
  const { compressionQuality, maxBitrate, maxBytes } = context.job.options
  const isBound = (maxBitrate ?? maxBytes) !== undefined
  const hasDropped = clips.some(({ facts }) => facts.format === 'avi')
  const isFaithful = compressionQuality >= leastFaithful && !isTiny(plan)
  return plan.video === 'copy' || isBound || hasDropped || !isFaithful
}

const leastContrast = 8
const other = { likeness: 0.6, off: 8 } as const
const otherColors = { least: 4, leastInRough: 12, share: 0.6 } as const
const otherBrightness = 9

/** A mix of two different pictures is off by more than this. */
const leastMixed = 0.4

/** Faults in how pictures look that show the right thing. A GIF has few colours, all of them a little off. */
function lookOff({ grid, film, planned }: Comparison, matches: readonly Match[]): Flaw | undefined {
  const levels = offInLevels(grid, matches)
  if (levels !== undefined) return { what: levels, isGross: false }
  const isMixed = matches.some(({ off }) => off > leastMixed) && areBlended(grid, film, planned)
  if (!isMixed) return undefined
  return { what: 'Its pictures are mixed with those beside them', isGross: false }
}

function matchesIn({ grid, film, planned, isAligned }: Compared): Match[] {
  // Each picture of the film is mostly the next one of the plan.
  let next = 0
  return film.flatMap((one, i) => {
    const match = isAligned
      ? matchOf(grid, one, planned.slice(i, i + 1))
      : matchOf(grid, one, planned, next)
    if (match) next = planned.indexOf(match.planned) + 1
    return match ?? []
  })
}

type Compared = Pick<Comparison, 'grid' | 'film' | 'planned' | 'isAligned'>

export function faultAt(compared: Compared): Flaw | undefined {
  return faultIn(compared, matchesIn(compared), false)
}

function faultIn(
  compared: Compared,
  matches: readonly Match[],
  isRough: boolean,
): Flaw | undefined {
  const { grid, planned } = compared
  const typical = middle(matches, ({ off }) => off)
  if (!typical) return undefined
  const { off, colorful, colorOff } = typical
  const turned = turnedIn(grid, matches, planned)
  if (turned) return { what: turned.what, isGross: turned.isCertain || goTogether(grid, planned) }
  if (showsNothing(typical))
    return { what: 'It shows nothing where it has to show something', isGross: true }
  if (isOther(typical)) {
    const isGross = goTogether(grid, planned)
    return isRough && !isGross
      ? undefined
      : { what: 'It shows something else than was planned', isGross, isUnclear: !isGross }
  }
  const least = isRough ? otherColors.leastInRough : otherColors.least
  if (colorOff > Math.max(least, otherColors.share * colorful)) {
    return { what: 'Its colours are not those that were planned', isGross: true }
  }
  if (isRough) return undefined
  if (off > otherBrightness && goTogether(grid, planned)) {
    return { what: 'It does not look as was planned', isGross: false }
  }
  const strange = matches.some((one) => isOther(one) && one.off > off + other.off)
  if (strange) return { what: 'A picture is not as planned', isGross: false }
  return partOff(grid, matches) ?? doubled(compared)
}

/** Whether a picture shows something else. A planned picture without contrast may look like any other. */
function isOther({ contrast, likeness, off }: Match): boolean {
  return contrast > leastContrast && likeness < other.likeness && off > other.off
}

/**
 * Whether neighbouring pictures are alike. If each is unlike the one before, a picture that comes late matches nothing
 * that was planned, and an encoder spends its bits on little but the change.
 */
function goTogether(grid: Grid, planned: readonly Buffer[]): boolean {
  const alike = planned
    .slice(1)
    .flatMap((one, i) => matchOf(grid, one, planned.slice(i, i + 1)) ?? [])
  const typical = middle(alike, ({ likeness }) => likeness)
  return typical === undefined || typical.likeness > leastTogether
}

const leastTogether = 0.8
const turns = [
  { across: true, down: false, what: 'Its pictures are mirrored' },
  { across: false, down: true, what: 'Its pictures are upside down and mirrored' },
  { across: true, down: true, what: 'Its pictures are upside down' },
] as const
/** A picture that matches another picture of the film hardly ever matches it better when turned. */
const doubtful = 0.95
const turnedSo = { likeness: 0.8, ofRest: 0.6, certain: 0.3 } as const

type Turned = {
  readonly what: string
  /** Whether the turn cannot be one of what is shown, such as of a wheel. */
  readonly isCertain: boolean
}

/** How most pictures of a place are turned, if turning them makes them more like the planned ones. */
export function turnedIn(
  grid: Grid,
  matches: readonly Match[],
  planned: readonly Buffer[],
): Turned | undefined {
  const typical = middle(matches, ({ likeness }) => likeness)
  if (!typical || typical.likeness > doubtful || typical.contrast < leastContrast) return undefined
  const { film, likeness } = typical
  const [best] = turns
    .map(({ what, ...turn }) => ({
      what,
      likeness: Math.max(
        ...planned.map((one) => likenessTurned(grid, { film, planned: one }, turn)),
      ),
    }))
    .toSorted((a, b) => b.likeness - a.likeness)
  if (!best || best.likeness < turnedSo.likeness) return undefined
  const rest = (1 - best.likeness) / (1 - likeness)
  if (rest > turnedSo.ofRest) return undefined
  return { what: best.what, isCertain: rest < turnedSo.certain }
}

const plain = 2

/** Whether a picture is black or of one colour although another one was planned. */
export function showsNothing({ contrast, filmContrast }: Match): boolean {
  return contrast > leastContrast && filmContrast < plain
}

/** How far a cell may be off in every picture of a place. */
const mostCellOff = 24
const leastArea = { cells: 6, share: 0.0015 } as const

/** A fault in a part of the picture: something that lies over it is missing, or is not what was planned. */
function partOff(grid: Grid, matches: readonly Match[]): Flaw | undefined {
  const [least = new Uint8Array(), ...others] = matches.map(({ cells }) => cells.slice())
  for (const cells of others) {
    for (let i = 0; i < cells.length; i++) least[i] = Math.min(least[i] ?? 0, cells[i] ?? 0)
  }
  const area = largestArea(grid, least, mostCellOff)
  const most = Math.max(leastArea.cells, leastArea.share * grid.width * grid.height)
  if (area < most) return undefined
  return { what: 'A part of its picture is not as planned', isGross: false }
}

const moves = { least: 1.5, repeated: 0.1, perhaps: 0.2, more: 0.3, leastRepeated: 2 } as const

/** Whether pictures are repeated where each should be a new one. */
function doubled({ grid, film, planned }: Compared): Flaw | undefined {
  const due = stepsIn(grid, planned)
  const usual = medianOf(due)
  if (usual < moves.least) return undefined
  const made = stepsIn(grid, film)
  const repeated = made.filter((step) => step < usual * moves.repeated).length
  // What hardly moves in the plan may move a little less in the film.
  const still = due.filter((step) => step < usual * moves.perhaps).length
  const [ofMade, ofDue] = [repeated / Math.max(1, made.length), still / Math.max(1, due.length)]
  if (ofMade - ofDue < moves.more || repeated < moves.leastRepeated) return undefined
  return { what: 'Its pictures come twice', isGross: false }
}

function middle<Item>(all: readonly Item[], valueOf: (one: Item) => number): Item | undefined {
  return all.toSorted((a, b) => valueOf(a) - valueOf(b))[all.length >> 1]
}

/** Steps of brightness by which neighbouring pictures of the plan must differ in the mean. */
const leastStep = 1
/** The share of the next picture that is mixed in, and how much of the difference that must explain. */
const blended = { least: 0.3, most: 0.7, rest: 0.5 } as const
const share = 0.6
const leastTold = 3

/** Whether most pictures are a mix of two that follow each other in the plan. */
function areBlended(
  { width, height }: Grid,
  film: readonly Buffer[],
  planned: readonly Buffer[],
): boolean {
  const cells = width * height
  const told = film.flatMap((one) => {
    const off = planned.map((due) => meanOff(one, due, 0, cells))
    const best = off.indexOf(Math.min(...off))
    const own = planned[best]
    const beside = [planned[best - 1], planned[best + 1]].filter((due) => due !== undefined)
    if (!own || beside.length < 2) return []
    if (beside.some((due) => meanOff(own, due, 0, cells) < leastStep)) return []
    return [beside.some((due) => isMixOf(one, [own, due], cells))]
  })
  return told.length >= leastTold && told.filter(Boolean).length > share * told.length
}

function isMixOf(film: Buffer, [own, other]: readonly [Buffer, Buffer], cells: number): boolean {
  let [step, both, off] = [0, 0, 0]
  for (let i = 0; i < cells; i++) {
    const by = (other[i] ?? 0) - (own[i] ?? 0)
    const from = (film[i] ?? 0) - (own[i] ?? 0)
    step += by * by
    both += by * from
    off += from * from
  }
  const part = both / Math.max(1, step)
  const rest = (off - part * both) / Math.max(1, off)
  return part > blended.least && part < blended.most && rest < blended.rest
}

const grey = 128
/** A cell at least this far from grey is coloured enough to judge how strong its colours are. */
const leastColorful = 4
/** Fifty films that were right had 0.9 to 1.05 of the colours of their plan, and turned none by more than 3 degrees. */
const certain = { weaker: 0.8, stronger: 1.25, turned: 0.14, harder: 1.12 } as const
/** Only pictures that show the same thing with enough contrast are judged. */
const leastAlike = { likeness: 0.97, contrast: 12 } as const

/** Faults in the colours or the contrast of pictures that show what was planned. */
function offInLevels(grid: Grid, matches: readonly Match[]): string | undefined {
  const alike = matches.filter(({ likeness }) => likeness > leastAlike.likeness)
  if (alike.length * 2 <= matches.length) return undefined
  const colors = alike.flatMap((one) => colorsOf(grid, one) ?? [])
  if (colors.length * 2 > matches.length) {
    const strength = medianOf(colors.map((one) => one.strength))
    if (strength < certain.weaker) return 'Its colours are weaker than was planned'
    if (strength > certain.stronger) return 'Its colours are stronger than was planned'
    if (Math.abs(medianOf(colors.map((one) => one.turned))) > certain.turned)
      return 'Its colours have another tint than was planned'
  }
  const clear = alike.filter(({ contrast }) => contrast > leastAlike.contrast)
  if (clear.length * 2 <= matches.length) return undefined
  const gain = medianOf(clear.map((one) => (one.likeness * one.filmContrast) / one.contrast))
  if (gain > certain.harder) return 'It has more contrast than was planned'
  return gain < 1 / certain.harder ? 'It has less contrast than was planned' : undefined
}

/** How strong the colours of a picture are compared with those of the plan, and how far their hue is turned. */
function colorsOf({ width, height }: Grid, { film, planned }: Match) {
  const count = width * height
  let [all, along, aside] = [0, 0, 0]
  for (let u = count, v = 2 * count; u < 2 * count; u++, v++) {
    const x = (planned[u] ?? grey) - grey
    const y = (planned[v] ?? grey) - grey
    const a = (film[u] ?? grey) - grey
    const b = (film[v] ?? grey) - grey
    all += x * x + y * y
    along += a * x + b * y
    aside += b * x - a * y
  }
  if (all < count * leastColorful ** 2) return undefined
  return { strength: along / all, turned: aside / Math.max(1, along) }
}

import { JobError } from '../../../errors/job-error.ts'
import type { InputFile, Stream } from '../../../graph/filter-graph.ts'
import { PartRefusal } from '../../../parts/part-refusal.ts'
import type { FileTables } from '../../../parts/window/window.ts'
import { windowGlobals, windowOf } from '../../../parts/window/window-of.ts'
import { planWith, type Planned } from '../../plan/plan-job.ts'
import { tablesOf } from '../../plan/read-from-excerpt.ts'
import type { Looked } from '../check-tables.ts'
import { inputOfFilm, lookAtAll } from '../look-at-film.ts'
import { meanOff } from './compare-on-grid.ts'
import { gridFor, picturesOn, type Grid } from './picture-grid.ts'
import { decoded } from '../../pictures-checked.ts'
import { makeInSmall, type MadeInSmall } from './make-in-small.ts'
import { unless } from '../../../errors/unless.ts'
import { trackOf } from '../../../graph/output-track.ts'
import { inGroups } from '../../../../worker/contract/in-groups.ts'

/** A few consecutive pictures of the film, and those that the plan makes from its sources for the same time. */
export type Comparison = {
  readonly at: number
  readonly seconds: number
  readonly grid: Grid
  readonly film: readonly Buffer[]
  readonly planned: readonly Buffer[]
  /** How many planned pictures come before the first of these of the film. */
  readonly ahead: number
  /** Whether each picture of the film is paired with its planned one, because the whole film is compared. */
  readonly isAligned?: boolean
  /** Whether a decoder complained about a source: what it makes of lost bytes depends on where it begins. */
  readonly isDamaged: boolean
}

/** The places of pictures of the film that follow each other. */
export type PlannedPlace = {
  readonly first: number
  readonly count: number
  /** Whether it is the whole film, and not a few pictures of it. */
  readonly isWhole?: boolean
}

/** The graph of a film in which nothing is copied, from its very beginning. */
type Graph = { readonly stream: Stream<'video'>; readonly tables: FileTables }

/** Added to a time that a program is asked for, because times are rounded. */
export const behindKey = 0.0005
/** A program seeks by decoding time, which may be this much earlier at the beginning of a film than at its other key pictures. */
const mostDelayed = 0.25
/** More pictures than a fade of half a second has at some rates, and few enough to cost little. */
const mostCompared = 10
/** A few more pictures come if those of a source have other times than assumed. */
const mostMade = 50
/**
 * A remade place begins behind its first two pictures: if the first is a key picture of the source, nothing before it is
 * decoded then. So this many pictures of the film are not compared; a copy may be off by two.
 */
const skippedPictures = { copy: 4, encode: 2 } as const
/** Times may be rounded, and a copy begins with a picture or two of its own. */
const reachPictures = { copy: 2.5, encode: 0.6 } as const

/** Reads the places of the film as small copies, besides what else is read of it. */
export function looksAtPlaces(looked: Looked, places: readonly PlannedPlace[]) {
  return places.map((place) => lookFrom(looked, place))
}

export function lookFrom(looked: Looked, { first, count }: PlannedPlace) {
  const { film, tables } = looked
  const { at, keys, endSeconds } = tables.picture
  const begin = at[first] ?? 0
  const early = ((at[first + 1] ?? endSeconds) - begin) / 4
  // Asked for a moment before a key picture, a program decodes everything since the key picture before that.
  const isKey = keys[first] === 1 && begin > 0
  const nextKey = at[keys.indexOf(1, first + 1)] ?? endSeconds
  const from = isKey
    ? begin + Math.min(mostDelayed, (nextKey - begin) / 2)
    : Math.max(0, begin - early)
  // The length counts from the first picture that is shown, which is the key picture.
  const seconds = endOf(looked, first + count) - (isKey ? begin : from)
  const input = { ...inputOfFilm(looked), from, seconds, isAtKey: isKey }
  const { index } = film.facts.video
  return { kind: 'pictures', input, index, count, grid: gridFor(film.plan) } as const
}

function endOf({ tables: { picture } }: Looked, place: number): number {
  return picture.at[place] ?? picture.endSeconds + 1
}

/** A remade place: the graph of its pictures, and which of the film's pictures are compared with them. */
export type RemadePlace = {
  readonly place: Pick<Comparison, 'at' | 'seconds' | 'grid'>
  readonly stream: Stream<'video'>
  /** The index of the place among those that were asked for. */
  readonly of: number
  readonly from: number
  readonly to: number
  /** How many pictures are made. */
  readonly count: number
  /** When the pictures of a whole film are shown. */
  readonly times?: Float64Array
}

/**
 * The graphs that remake the pictures of a few places from the sources, without an encoder. None if a graph needs what
 * came before them. `share`: how much of what may be decoded for a comparison these places may take.
 */
export function remadeAt(
  looked: Looked,
  graph: Graph | undefined,
  places: readonly PlannedPlace[],
  share = 1,
): RemadePlace[] {
  if (!graph) return []
  const { film, tables } = looked
  const grid = gridFor(film.plan)
  const begun = film.plan.excerpt?.start ?? 0
  const step = 1 / Math.max(1, film.plan.averageFps)
  const [reach, skipped] = [reachPictures, skippedPictures].map((one) => one[film.plan.video])
  let secondsLeft = mostDecoded(looked) * share
  const all: RemadePlace[] = []
  for (const [of, { first, count, isWhole }] of places.entries()) {
    const timeOf = (place: number): number => begun + (tables.picture.at[place] ?? 0)
    const compared = isWhole ? count : Math.min(count, mostCompared)
    const isBegin = timeOf(first) < step
    // A moment between two pictures, which may follow each other faster than most do.
    const second = timeOf(first + 1)
    const from = second + (timeOf(Math.min(first + 2, first + count - 1)) - second) / 4
    const window = {
      from: isBegin ? Number.NEGATIVE_INFINITY : from,
      to: timeOf(first + compared - 1) + (reach ?? 0) * step,
    }
    const stream = unless(PartRefusal, () => windowOf(graph.stream, window, graph.tables))
    if (!stream) return []
    const before = decodedBefore(stream)
    if (before > secondsLeft) continue
    secondsLeft -= before
    const at = timeOf(first) - begun
    const seconds = endOf(looked, first + count) - at
    const place = { at, seconds, grid }
    const remade = { place, stream, of, from: isBegin ? 0 : (skipped ?? 0), to: compared }
    const times = isWhole ? { times: tables.picture.at } : {}
    all.push({ ...remade, count: compared + mostMade, ...times })
  }
  return all
}

/** The pictures of the film at each place, with those that were remade. */
export function besideEach(
  remade: readonly RemadePlace[],
  planned: MadeInSmall | undefined,
  seen: readonly (Buffer | undefined)[],
): Comparison[] {
  return remade.flatMap(({ place, of, from, to, times }, i) => {
    const made = planned?.pictures[i]
    if (!planned || !made) return []
    const { isDamaged } = planned
    const film = picturesOn(place.grid, seen[of]).slice(from, to)
    // At the beginning of a film, no pictures are skipped.
    const ahead = Math.max(0, from - skippedPictures.encode)
    const one = { ...place, film, planned: made, isDamaged, ahead }
    return times ? inStretches(one, times.subarray(from)) : [one]
  })
}

/** A whole film is compared in stretches of this many pictures, so that a fault of half a second fills one. */
const inStretch = 6
/** By how many pictures a remade film may be early or late. */
const mostShifted = 2
/** So few that each of them tells something about the shift of all. */
const fewPictures = 30
/** How much of the difference without a shift is left with the right one, at most. */
const clearlyLess = 0.7

/** A whole film in stretches, each picture beside the one that the plan has for it. */
function inStretches(whole: Comparison, times: Float64Array): Comparison[] {
  const { film, planned, at, seconds } = whole
  const shift = shiftOf(whole)
  // Gaps of a source are filled only when a film is written, not when it is remade.
  const gaps = Math.abs(film.length - planned.length)
  const isAligned = gaps < 2
  const around = isAligned ? 0 : gaps + mostShifted
  return Array.from({ length: Math.ceil(film.length / inStretch) }, (_, i) => {
    const first = Math.max(0, Math.min(i * inStretch, film.length - inStretch))
    const end = Math.min(first + inStretch, film.length, planned.length - shift)
    const [begin = at, until = at + seconds] = [times[first], times[end]]
    const from = first + shift - around
    const due = planned.slice(Math.max(0, from), Math.max(0, end + shift + around))
    const own = film.slice(first + (isAligned ? Math.max(0, -from) : 0), end)
    const isDamaged = whole.isDamaged || !isAligned
    const stretch = { at: begin, seconds: until - begin, planned: due, film: own, ahead: 0 }
    return { ...whole, ...stretch, isAligned, isDamaged }
  }).filter(({ film: own }) => own.length > 0)
}

function shiftOf({ grid, film, planned }: Comparison): number {
  // Pictures may differ in nothing but their colours.
  const values = 3 * grid.width * grid.height
  // Each shift is judged by the same pictures: if one half of a film differs more, one picture more or less would decide.
  const end = Math.min(film.length, planned.length) - mostShifted
  const every = end < fewPictures ? 1 : 3
  const offBy = (shift: number): number => {
    const off = film.slice(0, end).flatMap((one, i) => {
      const due = planned[i + shift]
      return due && i >= mostShifted && i % every === 0 ? [meanOff(one, due, 0, values)] : []
    })
    return off.toSorted((a, b) => a - b)[off.length >> 1] ?? Infinity
  }
  // If a film shows something else, every shift is about as wrong.
  let best = { shift: 0, off: offBy(0) * clearlyLess }
  for (let shift = -mostShifted; shift <= mostShifted; shift++) {
    const off = offBy(shift)
    if (off < best.off) best = { shift, off }
  }
  return best.shift
}

/** Remakes the pictures of a few places as small copies. */
export async function besideThePlan(
  looked: Looked,
  graph: Graph | undefined,
  places: readonly PlannedPlace[],
  seen: readonly (Buffer | undefined)[],
  share = 1,
): Promise<Comparison[]> {
  const remade = remadeAt(looked, graph, places, share)
  const small = { grid: gridFor(looked.film.plan), timing: windowGlobals }
  return besideEach(remade, await makeInSmall(looked.planned.context, remade, small), seen)
}

/** How many places are open at a time. */
const placesAtOnce = 6

/** The same for as many places as a film has parts, a few at a time. */
export async function besideParts(
  looked: Looked,
  graph: Graph | undefined,
  places: readonly PlannedPlace[],
): Promise<Comparison[]> {
  const all: Comparison[] = []
  const { tools } = looked.planned.context
  for (const some of graph ? inGroups(places, placesAtOnce) : []) {
    const { seen } = await lookAtAll(tools, looksAtPlaces(looked, some), 'of-parts')
    all.push(...(await besideThePlan(looked, graph, some, seen, some.length / places.length)))
  }
  return all
}

/** The share of its sources that is decoded again, or as many pixels as of a short film: key pictures may be far apart. */
const mostShare = 0.1

function mostDecoded({ planned: { clips }, film: { plan } }: Looked): number {
  const pixels = clips.map(({ facts: { video } }) => video.width * video.height * video.averageFps)
  return Math.max(mostShare * plan.durationSeconds, decoded.inAnyCase / Math.max(1, ...pixels))
}

/** How many seconds of files are decoded before the first pictures that a graph shows. */
function decodedBefore(stream: Stream): number {
  const seen = new Set<Stream['from']>()
  const secondsOf = ({ from }: Stream): number => {
    if (from.type === 'input' || seen.has(from)) return 0
    seen.add(from)
    const files = from.inputs.flatMap(({ from: file }) => (file.type === 'input' ? [file] : []))
    const begin = from.name === 'trim' ? Number(from.args.start ?? 0) : 0
    const own = files.map(({ reading }) => begin - soughtIn(reading))
    return [...own, ...from.inputs.map(secondsOf)].reduce((sum, one) => sum + Math.max(0, one), 0)
  }
  return secondsOf(stream)
}

function soughtIn(reading: readonly string[]): number {
  const at = reading.lastIndexOf('-ss')
  return at < 0 ? 0 : Number(reading[at + 1])
}

/** The part of a file, from this key picture on, that is decoded for the remade pictures. */
export function readAnyway(remade: readonly RemadePlace[], name: string, key: number) {
  const isFrom = ({ path, row, pieces, reading }: InputFile): boolean => {
    const isOne = path === name && !row && !pieces && !reading.includes('-itsoffset')
    return isOne && Math.abs(soughtIn(reading) - key) < behindKey
  }
  return remade.flatMap(({ stream }) => filesOf(stream)).find(isFrom)
}

function filesOf({ from }: Stream): readonly InputFile[] {
  return from.type === 'input' ? [from] : from.inputs.flatMap(filesOf)
}

/** A graph made for a part of the film has no windows. */
const ofExcerpt = new Set(['startTime', 'duration'])

export async function graphOf({ planned, film }: Looked): Promise<Graph | undefined> {
  const { context, clips } = planned
  const isOtherwise = clips.some(
    ({ facts: { video } }) => video.transfer !== 'sdr' || video.hasAlpha,
  )
  // A copy keeps HDR and transparency, which the graph would not.
  if (film.plan.video === 'copy' && isOtherwise) return undefined
  const { job } = context
  const options = Object.fromEntries(
    Object.entries(job.options).filter(([name]) => !ofExcerpt.has(name)),
  ) as typeof job.options
  const whole = {
    ...planned,
    readPart: undefined,
    context: { ...context, job: { ...job, options } },
  }
  const isWhole = film.plan.video === 'encode' && !film.plan.excerpt
  const track = (isWhole ? trackOf(film.plan.tracks, 'video') : undefined) ?? pictureMade(whole)
  if (!track) return undefined
  const stream = track.stream as Stream<'video'>
  const tables = await tablesOf(context.tools, planned.fetched, stream)
  return tables && { stream, tables }
}

/** The picture as if nothing could be copied; undefined if it can only be copied. */
function pictureMade(planned: Planned) {
  const copying = { forbidden: 'it is made once more' }
  return unless(JobError, () => trackOf(planWith(planned, { copying }).tracks, 'video'))
}

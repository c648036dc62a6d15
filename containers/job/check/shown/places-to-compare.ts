import { storedStream } from '../../../graph/stored-stream.ts'
import type { FileTables } from '../../../parts/window/window.ts'
import { elementSpan } from '../../../render/elements/element-timing.ts'
import { pictureAt, type Looked } from '../check-tables.ts'
import { decoded, isBrief, mostInStretch, picturesInStretch } from '../../pictures-checked.ts'
import type { PlannedPlace } from './planned-pictures.ts'
import { cutsIn, sourceAt } from '../source-moments.ts'
import type { Stretch } from '../look-at-film.ts'

/** How many places named by the request are compared too. In a long film, each costs up to a hundredth of its rendering. */
const mostNamed = { short: 4, long: 2 } as const

/** Whether a film has so few pixels that all of its pictures are decoded. */
export function isShort(looked: Looked): boolean {
  return pixelsOf(looked) <= decoded.inAnyCase
}

function pixelsOf({ film: { plan }, tables: { picture } }: Looked): number {
  return picture.at.length * plan.width * plan.height
}

/**
 * Whether all pictures of a film are compared. Not those of a copy, which do not have the times of the plan, nor those
 * that take long to remake because the source is large or because each is processed.
 */
export function isComparedWhole(looked: Looked): boolean {
  const { planned, film, tables } = looked
  const { stabilize, blurFaces } = planned.context.job.options
  const videos = planned.clips.map(({ facts }) => facts.video)
  const isPlain = videos.every(({ transfer, hasAlpha }) => transfer === 'sdr' && !hasAlpha)
  const inSource = Math.max(...videos.map(({ width, height }) => width * height))
  const pixels = Math.max(pixelsOf(looked), inSource * tables.picture.at.length)
  const isQuick = isPlain && !stabilize && !blurFaces && pixels <= decoded.whole
  return isQuick && film.plan.video === 'encode'
}

/** A picture near the middle of a film, away from cuts, that an encoder gave many bytes: it shows the finest details of the film. */
export function placeWithin(looked: Looked): PlannedPlace {
  const { at, keys, sizes } = looked.tables.picture
  const all = Array.from(at, (_, place) => place).slice(1, -1)
  const isInner = (place: number): boolean => {
    const from = at[place] ?? 0
    const same = sourceAt(looked, from, 'about')
    return same !== undefined && Math.abs(same.film.from - from) < 0.001
  }
  const middle = at.length * 0.625
  const near = (place: number): number => Math.abs(place - middle)
  const begins = all.filter((place) => keys[place] === 1).toSorted((a, b) => near(a) - near(b))
  const large = all
    .filter((place) => near(place) < at.length * 0.2)
    .toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
  const first = [...begins, ...large.slice(0, mostKeys)].find(isInner)
  return { first: first ?? Math.floor(middle), count: 1 }
}

/**
 * Where the film is compared with its plan: at its beginning, middle and end, and where something that the request names can be
 * seen. In a long film at key pictures, because a decoder begins there, and near key pictures of the source.
 */
export function placesToCompare(looked: Looked, tables: FileTables | undefined): PlannedPlace[] {
  const { film, tables: ofFilm } = looked
  const { picture } = ofFilm
  const all = picture.at.length
  if (isComparedWhole(looked)) return [{ first: 0, count: all, isWhole: true }]
  const count = Math.min(isShort(looked) ? mostInStretch : picturesInStretch(all), all)
  const last = all - count
  const isCopy = film.plan.video === 'copy'
  const inLong = (share: number): number => cheapestKey(looked, tables, share)
  const usual = isShort(looked)
    ? [0, Math.min(all >> 1, last), last]
    : [0, ...sharesOf(all, isCopy).map((share) => inLong(share))]
  const named = [...shownPlaces(looked, usual), ...cutPlaces(looked)]
    .map((place) => Math.max(0, Math.min(place, last)))
    .slice(0, isShort(looked) ? mostNamed.short : mostNamed.long)
  return [...new Set([...usual, ...named])]
    .toSorted((a, b) => a - b)
    .map((first) => ({ first, count: Math.min(count, all - first) }))
}

/** The places of a film behind its beginning, as shares of it: each costs as much as encoding two or three pictures. */
function sharesOf(pictures: number, isCopy: boolean): number[] {
  if (isCopy) return [0.875]
  return isBrief(pictures) ? [0.625] : [0.5, 0.875]
}

/**
 * The beginning of each part of a divided film that no other place shows: each part comes from another machine, about
 * which the other places say nothing. Parts begin with a key picture, and near one of the source.
 */
export function placesOfParts(
  { film: { plan }, tables }: Looked,
  others: readonly PlannedPlace[],
): PlannedPlace[] {
  const all = tables.picture.at.length
  const begins = plan.parts && 'begins' in plan.parts ? plan.parts.begins : []
  return begins.flatMap((first, i) => {
    const end = Math.min(begins[i + 1] ?? all, all)
    const isShown = others.some((one) => one.first >= first && one.first < end)
    const count = Math.min(picturesInStretch(all), end - first)
    return isShown || end - first < leastBehind ? [] : [{ first, count }]
  })
}

const mostKeys = 24
/** A key picture this close to the end has too few pictures behind it. */
const leastBehind = 8

/** The key picture around this share of the film that is cheapest to remake: the one nearest behind a key picture of a source. */
function cheapestKey(looked: Looked, tables: FileTables | undefined, share: number): number {
  const { picture } = looked.tables
  const all = picture.at.length
  const middle = share * all
  const keys = Array.from(picture.keys, (isKey, place) => (isKey === 1 ? place : -1))
    .filter((place) => place > 0 && place <= all - leastBehind)
    .toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .filter((place, i) => i === 0 || Math.abs(place - middle) < all * (isBrief(all) ? 0.3 : 0.125))
    .slice(0, mostKeys)
  const costs = keys.map((place) => secondsBehindKey(looked, tables, picture.at[place] ?? 0))
  return keys[costs.indexOf(Math.min(...costs))] ?? 0
}

/** How many seconds of a source are decoded before the picture that is shown at a moment. */
export function secondsBehindKey(
  looked: Looked,
  tables: FileTables | undefined,
  at: number,
): number {
  const same = sourceAt(looked, at)
  const clip = same && looked.planned.clips[same.source.clip]
  const keys = clip && tables?.get(storedStream(clip.video).from.path)?.keys
  if (!keys || keys.length === 0) return Infinity
  const from = same.source.from + 0.001
  return from - (keys.findLast((key) => key <= from) ?? 0)
}

/** How many of the compared pictures come before a cut. */
const beforeCut = 5

/** The pictures around the first and the last cut. */
function cutPlaces(looked: Looked): number[] {
  const { at } = looked.tables.picture
  const cuts = cutsIn(looked)
  return [...new Set([cuts[0], cuts.at(-1)])].flatMap((cut) =>
    cut === undefined ? [] : [pictureAt(at, cut) - beforeCut],
  )
}

/** Where something can be seen that the usual places do not show. */
function shownPlaces(looked: Looked, usual: readonly number[]): number[] {
  const { at, keys } = looked.tables.picture
  return spansNamed(looked)
    .filter(({ from, to }) => !usual.some((place) => isWithin(at[place], from, to)))
    .map(({ from, to }) => {
      const middle = pictureAt(at, (from + to) / 2)
      const key = isShort(looked) ? middle : Math.max(0, keys.lastIndexOf(1, middle))
      return isWithin(at[key], from, to) ? key : middle
    })
}

function isWithin(at: number | undefined, from: number, to: number): boolean {
  return at !== undefined && at >= from && at < to
}

/** When elements are visible, when the film fades out, and when each clip is shown. */
function spansNamed(looked: Looked): Stretch[] {
  const { planned, film } = looked
  const { elements = [], fadeOut } = planned.context.job.options
  const { plan } = film
  const begun = plan.excerpt?.start ?? 0
  const end = plan.durationSeconds
  const whole = { ...planned, durationSeconds: begun + end }
  const shown = elements.flatMap((element) => {
    const span = element.type === 'audio' ? undefined : elementSpan(element, whole)
    return span ? [{ from: span.start - begun, to: span.end - begun }] : []
  })
  const faded = fadeOut ? [{ from: Math.max(0, end - fadeOut.duration), to: end }] : []
  const cuts = planned.clips.length > 1 ? [0, ...cutsIn(looked), end] : []
  const pieces = cuts.slice(1).map((to, i) => ({ from: cuts[i] ?? 0, to }))
  return [...shown, ...faded, ...longest(pieces)].flatMap(({ from, to }) => {
    const within = { from: Math.max(0, from), to: Math.min(end, to) }
    return within.from < within.to ? [within] : []
  })
}

function longest(spans: readonly Stretch[]): Stretch[] {
  return spans.toSorted((a, b) => b.to - b.from - (a.to - a.from))
}

import type { Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import { PartRefusal } from '../part-refusal.ts'
import type { PictureTimes } from '../window/picture-times.ts'
import { baseName, inputOf, keptIn, timesOfPictures } from '../window/times-of.ts'
import type { FileTables } from '../window/window.ts'

/** All pictures of a film to be encoded. */
export type FilmPictures = {
  readonly count: number
  /** When a picture is shown before it is encoded, in seconds. */
  readonly at: (picture: number) => number
  /** When it is shown in the result, in ticks. */
  readonly tickOf: (picture: number) => number
  /** Ticks in a second. */
  readonly timescale: number
  readonly endTick: number
}

/** A moment between a picture and the one before it. */
export function momentBefore({ at, count }: FilmPictures, picture: number): number {
  if (picture <= 0) return Number.NEGATIVE_INFINITY
  if (picture >= count) return Number.POSITIVE_INFINITY
  return (at(picture - 1) + 3 * at(picture)) / 4
}

type PlannedFilm = {
  readonly stream: Stream<'video'>
  readonly frameRate: FrameRate
  readonly hasConstantRate: boolean
  /** How long the picture is shown, if its pictures have times of their own. */
  readonly pictureSeconds: number
}

/** How encoders count the times of pictures that have their own. */
const ownTimescale = 90_000
/** A picture of a steady film may be early or late by this share of a picture. */
const mostOff = 0.4

export function filmPictures(film: PlannedFilm, tables: FileTables): FilmPictures {
  const times = timesOfPictures(tables)(film.stream)
  if (times?.count === undefined)
    throw new PartRefusal('how many pictures it has shows only when they are made')
  const { count, at } = times
  if (film.hasConstantRate) return steadyPictures(times, count, film.frameRate)
  const tickOf = (picture: number): number => Math.round(at(picture) * ownTimescale)
  const endTick = Math.max(Math.round(film.pictureSeconds * ownTimescale), tickOf(count - 1) + 1)
  return { count, at, tickOf, timescale: ownTimescale, endTick }
}

/** The encoder counts the pictures of a steady film from the first one on. */
function steadyPictures(times: PictureTimes, count: number, rate: FrameRate): FilmPictures {
  const fps = fpsOf(rate)
  const { at } = times
  const isSteady = (place: number): boolean => Math.abs((at(place) - at(0)) * fps - place) < mostOff
  // Between pictures of a steady rate, nothing can be at another pace.
  for (let place = times.rate ? count - 1 : 0; place < count; place++)
    if (!isSteady(place)) throw new PartRefusal('its pictures come at another pace than they say')
  const [timescale, step] = [rate.frames, rate.seconds].map((part) => part * scaleOf(rate)) as [
    number,
    number,
  ]
  const first = Math.round(at(0) * fps)
  const tickOf = (picture: number): number => (first + picture) * step
  return { count, at, tickOf, timescale, endTick: tickOf(count) }
}

/** Ticks as fine as ffmpeg writes them. */
function scaleOf({ frames }: FrameRate): number {
  let scale = 1
  while (frames * scale < 10_000) scale *= 2
  return scale
}

/**
 * Pictures before which an encoder begins a group anyway, or with which a decoder of the source can begin: at joints and cuts,
 * or else at key pictures of the source.
 */
export function cheapSeams(stream: Stream<'video'>, tables: FileTables): number[] {
  const timesOf = timesOfPictures(tables)
  for (let { from } = stream; ; from = inputOf(from).from) {
    if (from.type === 'input') return keysIn(tables.get(from.path)?.keys, timesOf(stream))
    if (baseName(from) === 'concat')
      return sums(from.inputs.map((clip) => timesOf(clip)?.count ?? 0))
    if (baseName(from) === 'select') {
      const uncut = timesOf(inputOf(from))
      return uncut ? sums(keptIn(from, uncut).map((span) => span.to - span.from)) : []
    }
    if (from.inputs.length === 0) return []
  }
}

function keysIn(keys: Float64Array | undefined, times: PictureTimes | undefined): number[] {
  if (!keys || !times) return []
  return Array.from(keys, (at) => times.lastUpTo(at))
}

function sums(counts: readonly number[]): number[] {
  let sum = 0
  return counts.map((count) => (sum += count))
}

import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import type { Geometry } from './frame-geometry.ts'
import { brightnessIn, type Reading } from './read-unfiltered.ts'
import type { Span } from '../../../numbers/spans.ts'

/** Each side is measured in parts: in a film that is too large, the parts are displaced differently. */
const parts = 4
/** In 720ths of a side. */
const displaced = { least: 4, most: 24, of: 720 } as const
/** Shapes lie on even pixels, so that a film may be off by two. */
const mayBeOff = [-2, -1, 0, 1, 2]
/** Films without faults always fitted at 0.9 or better in their right place, even at the lowest quality. */
const certainly = { now: 0.8, best: 0.9, ofRest: 0.4, parts: 2 } as const

export type Readings = { readonly film: Reading; readonly source: Reading }
type PictureLine = { readonly film: Float64Array; readonly source: Float64Array }

/**
 * Whether a picture of the film is slightly displaced or slightly too large: its columns, or its rows, fit those of the
 * source only after they are shifted.
 */
export function isDisplaced(both: Readings, geometry: Geometry, size: Size): boolean {
  return linesOf(both, geometry, size).some((line) => {
    const displaced = partsOf(line).filter((range) => isPartDisplaced(line, range))
    return displaced.length >= certainly.parts
  })
}

/** Whether the whole picture of the film lies where it should. */
export function isInPlace(both: Readings, geometry: Geometry, size: Size): boolean {
  return linesOf(both, geometry, size).every((line) =>
    mayBeOff.some((by) => partsOf(line).every((range) => fitOf(line, range, by) > certainly.now)),
  )
}

function linesOf(both: Readings, geometry: Geometry, size: Size): PictureLine[] {
  return [columnsOf(both, geometry, size), rowsOf(both, geometry, size)]
}

function columnsOf(both: Readings, { shown, placeIn }: Geometry, { width }: Size): PictureLine {
  return lineOf(Math.floor(shown.width * width), (from, to) => {
    const left = shown.x + from * shown.width
    const right = shown.x + to * shown.width
    return [
      brightnessIn(both.film, [left, shown.y], [right, shown.y + shown.height]),
      brightnessIn(both.source, placeIn(from, 0), placeIn(to, 1)),
    ]
  })
}

function rowsOf(both: Readings, { shown, placeIn }: Geometry, { height }: Size): PictureLine {
  return lineOf(Math.floor(shown.height * height), (from, to) => {
    const top = shown.y + from * shown.height
    const bottom = shown.y + to * shown.height
    return [
      brightnessIn(both.film, [shown.x, top], [shown.x + shown.width, bottom]),
      brightnessIn(both.source, placeIn(0, from), placeIn(1, to)),
    ]
  })
}

/** The slopes of the mean lines of a film and of its source. */
function lineOf(
  length: number,
  meansAt: (from: number, to: number) => readonly [film: number, source: number],
): PictureLine {
  const [film, source] = [new Float64Array(length), new Float64Array(length)]
  for (let i = 0; i < length; i++) {
    const [made, was] = meansAt(i / length, (i + 1) / length)
    film[i] = made
    source[i] = was
  }
  return { film: slopesOf(film), source: slopesOf(source) }
}

/** How much a line rises over a few pixels, so that neither brightness nor grain matters. */
function slopesOf(line: Float64Array): Float64Array {
  const at = (i: number): number => line[Math.min(line.length - 1, Math.max(0, i))] ?? 0
  return line.map((_, i) => at(i + 2) - at(i - 2))
}

/** A part of a line with gentler slopes than this shows hardly anything. */
const leastSlope = 0.7

/** A bar beside the picture may begin this much too early, by the width of a slope. */
const edge = 4

/** The parts of a line that show something. */
function partsOf({ source }: PictureLine): Span[] {
  const inner = source.length - 2 * edge
  const ends = Array.from({ length: parts + 1 }, (_, i) => edge + Math.round((i * inner) / parts))
  return ends.slice(1).flatMap((to, i) => {
    const from = ends[i] ?? 0
    const energy = source.subarray(from, to).reduce((sum, one) => sum + one * one, 0)
    return Math.sqrt(energy / Math.max(1, to - from)) < leastSlope ? [] : [{ from, to }]
  })
}

function isPartDisplaced(line: PictureLine, range: Span): boolean {
  const inPixels = (of720: number): number => (of720 * line.film.length) / displaced.of
  const [least, most] = [
    Math.max(3, inPixels(displaced.least)),
    Math.round(inPixels(displaced.most)),
  ]
  const now = fitOf(line, range, 0)
  if (now > certainly.now) return false
  const fits = Array.from({ length: 2 * most + 1 }, (_, i) => fitOf(line, range, i - most))
  const best = Math.max(...fits)
  const isBetter = best > certainly.best && 1 - best < (1 - now) * certainly.ofRest
  return isBetter && Math.abs(fits.indexOf(best) - most) >= Math.floor(least)
}

function fitOf({ film, source }: PictureLine, { from, to }: Span, by: number): number {
  let [both, a, b] = [0, 0, 0]
  for (let i = Math.max(from, -by); i < Math.min(to, film.length - by); i++) {
    const x = film[i + by] ?? 0
    const y = source[i] ?? 0
    both += x * y
    a += x * x
    b += y * y
  }
  return both / Math.max(1e-9, Math.sqrt(a * b))
}

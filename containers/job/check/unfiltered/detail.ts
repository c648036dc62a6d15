import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import type { Readings } from './displacement.ts'
import type { Geometry } from './frame-geometry.ts'
import { cellsIn } from './read-unfiltered.ts'
import { blocksOf, type Square, type Bright, type PlaceIn } from './grain.ts'

/** The shares of blocks with the most detail, and with the least, which contain only grain. */
const share = { detailed: 0.1, flat: 0.25 } as const
/** Grain is fine too, and an encoder removes it. */
const detailed = { least: 2, mostInFlat: 0.25 } as const
/**
 * Pictures that were made half as wide and wide again kept a third of it, and a half at most. Those that were only encoded kept 0.78 or
 * more of it, in a quarter of these blocks.
 */
const kept = { most: 0.5, of: 0.75 } as const

/** Whether details of a single pixel in the source are lost in a film with as many pixels. */
export function hasLostDetail(film: Bright, source: Bright, placeIn: PlaceIn): boolean {
  const left = keptIn(blocksOf(film, source, placeIn, finenessIn), detailed.least)
  return (left[Math.floor(left.length * kept.of)] ?? 1) < kept.most
}

/** The shares of detail kept where the source has most, rising; none if it has little, or the same everywhere. */
function keptIn(blocks: readonly Square[], least: number): number[] {
  const ordered = blocks.toSorted((a, b) => b.source - a.source)
  const most = ordered.slice(0, ordered.length * share.detailed)
  const usual = most[most.length >> 1]?.source ?? 0
  const flat = ordered[Math.floor(ordered.length * (1 - share.flat))]?.source ?? Infinity
  if (usual < least || flat > detailed.mostInFlat * usual) return []
  return most.map((one) => one.film() / one.source).toSorted((a, b) => a - b)
}

/** How much of a row of pixels alternates from one pixel to the next. */
function finenessIn(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    const beside = (bytes[at - 1] ?? 0) + (bytes[at + 1] ?? 0)
    const around = (bytes[at - 2] ?? 0) + (bytes[at + 2] ?? 0)
    sum += Math.abs(6 * (bytes[at] ?? 0) - 4 * beside + around)
  }
  return sum / 16
}

/** Shapes of a few pixels, which encoders keep: the pixels of each cell, and the cells of each block. */
const shapes = { pixels: 3, cells: 6, least: 1.5 } as const
/**
 * Films as large as their sources and of a usual quality that were right kept 0.95 to 1.01 in half of these blocks, one of a still 0.79;
 * those that were blurred over one and a half pixels kept 0.66 to 0.74, and those that were sharpened 1.26 or more. A film of another
 * size may be softer, or harder at its edges.
 */
const ofShapes = { least: 0.765, most: 1.14, leastOfOther: 0.65 } as const
const sameSize = 0.98
/** If a film has this many pixels for each of its source, shapes of a few pixels are the edges of those of the source. */
const mostEnlarged = 4

/** Whether a film is blurred, encoded so coarsely that shapes of a few pixels are lost, or sharpened. */
export function changeOfShapes(
  { film, source }: Readings,
  { shown, placeIn }: Geometry,
  { width, height }: Size,
  of: { readonly source: Size; readonly isOfUsualQuality: boolean },
): 'lost' | 'sharpened' | undefined {
  const [[begin, top], [end, bottom]] = [placeIn(0, 0), placeIn(1, 1)]
  const seen = Math.abs((end - begin) * (bottom - top))
  const inSource = seen * of.source.width * of.source.height
  const scale = (shown.width * width * shown.height * height) / inSource
  if (scale > mostEnlarged) return undefined
  const grid = {
    width: Math.floor((shown.width * width) / shapes.pixels),
    height: Math.floor((shown.height * height) / shapes.pixels),
  }
  const inFilm: Geometry['placeIn'] = (x, y) => [
    shown.x + x * shown.width,
    shown.y + y * shown.height,
  ]
  const [made, was] = [cellsIn(film, grid, inFilm, 1), cellsIn(source, grid, placeIn, 1)]
  const blocks: Square[] = []
  const { cells } = shapes
  for (let y = 1; y + cells < grid.height; y += cells) {
    for (let x = 1; x + cells < grid.width; x += cells) {
      const at = y * grid.width + x
      blocks.push({
        source: steepIn(was, at, grid.width),
        film: () => steepIn(made, at, grid.width),
      })
    }
  }
  const left = keptIn(blocks, shapes.least)
  const usual = left[left.length >> 1] ?? 1
  const isAsLarge = Math.min(scale, 1 / scale) > sameSize ** 2
  const isSharp = isAsLarge && of.isOfUsualQuality
  if (usual < (isSharp ? ofShapes.least : ofShapes.leastOfOther)) return 'lost'
  return isAsLarge && usual > ofShapes.most ? 'sharpened' : undefined
}

/** How much the cells of a block differ from their neighbours at the side, above and below. */
function steepIn(bytes: Uint8Array, first: number, row: number): number {
  let sum = 0
  for (let y = 0, begin = first; y < shapes.cells; y++, begin += row) {
    for (let at = begin; at < begin + shapes.cells; at++) {
      const own = 2 * (bytes[at] ?? 0)
      sum += Math.abs(own - (bytes[at - 1] ?? 0) - (bytes[at + 1] ?? 0))
      sum += Math.abs(own - (bytes[at - row] ?? 0) - (bytes[at + row] ?? 0))
    }
  }
  return sum / (4 * shapes.cells ** 2)
}

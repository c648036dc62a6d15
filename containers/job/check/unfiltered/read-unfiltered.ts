import type { Grid } from '../shown/picture-grid.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

/** How a program stores the pixels of a picture, plane after plane. */
type Planes = {
  /** How many times smaller the planes of colour are. */
  readonly across: 1 | 2
  readonly down: 1 | 2
  readonly isFullRange?: boolean
  /** The bits of a value; more than eight take two bytes. */
  readonly bits?: 10
}

const layouts: Readonly<Record<string, Planes>> = {
  yuv420p: { across: 2, down: 2 },
  yuvj420p: { across: 2, down: 2, isFullRange: true },
  yuv422p: { across: 2, down: 1 },
  yuvj422p: { across: 2, down: 1, isFullRange: true },
  yuv444p: { across: 1, down: 1 },
  yuv420p10le: { across: 2, down: 2, bits: 10 },
  yuvj444p: { across: 1, down: 1, isFullRange: true },
}

export function isReadable(pixelFormat: string): boolean {
  return pixelFormat in layouts
}

/** A picture as the decoder gives it, and how it is stored. */
export type Unfiltered = {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly pixelFormat: string
  readonly isFullRange: boolean
}

type Spot = readonly [x: number, y: number]

/** Brightness, blue and red of a picture. */
export type Reading = { readonly planes: readonly [Sums, Sums, Sums]; readonly isFull: boolean }

/**
 * Prepares to read the means of parts of a picture, to the fraction of a pixel: thin lines of a table or a screen would weigh
 * more or less at slightly different places. Undefined if the picture is not stored as expected.
 */
export function readerOf(picture: Unfiltered): Reading | undefined {
  const layout = layouts[picture.pixelFormat]
  if (!layout) return undefined
  const values = layout.bits ? inEightBits(picture.bytes) : picture.bytes
  const stored = storedSize(values.length, layout, picture)
  if (!stored) return undefined
  const { width, height } = stored
  const [colorWidth, colorHeight] = colorSides(stored, layout)
  const ofBrightness = width * height
  return {
    isFull: picture.isFullRange || layout.isFullRange === true,
    planes: [
      planeOf(values, 0, [width, height]),
      planeOf(values, ofBrightness, [colorWidth, colorHeight]),
      planeOf(values, ofBrightness + colorWidth * colorHeight, [colorWidth, colorHeight]),
    ],
  }
}

/** The mean brightness between two corners of a picture, whose sides are 1. */
export function brightnessIn({ planes: [plane], isFull }: Reading, one: Spot, other: Spot) {
  const mean = meanIn(plane, one, other)
  return isFull ? toLimited(mean, 0) : mean
}

/**
 * The means of all cells of a grid, plane after plane. `placeIn` tells where its corners lie, which may be turned by a quarter;
 * neighbours share theirs.
 */
export function cellsIn(
  { planes, isFull }: Reading,
  { width, height }: Grid,
  placeIn: (x: number, y: number) => Spot,
  count: number = planes.length,
): Buffer {
  const [begin, end] = [placeIn(0, 0), placeIn(1, 1)]
  const isTurned = placeIn(1, 0)[0] === begin[0]
  const edgesOf = (from: number, to: number, cells: number): Float64Array =>
    Float64Array.from({ length: cells + 1 }, (_, i) =>
      Math.min(1, Math.max(0, from + ((to - from) * i) / cells)),
    )
  const [along, aside] = isTurned ? [1, 0] : [0, 1]
  const xs = edgesOf(begin[along] ?? 0, end[along] ?? 1, width)
  const ys = edgesOf(begin[aside] ?? 0, end[aside] ?? 1, height)
  const small = Buffer.alloc(count * width * height)
  const row = width + 1
  const sums = new Float64Array(row * (height + 1))
  for (const [place, plane] of planes.slice(0, count).entries()) {
    const pixels = plane.across * plane.down
    for (let y = 0, at = 0; y <= height; y++) {
      for (let x = 0; x <= width; x++, at++) {
        // A list of two for each cell would leave megabytes behind.
        const u = (isTurned ? ys[y] : xs[x]) ?? 0
        const v = (isTurned ? xs[x] : ys[y]) ?? 0
        sums[at] = sumTo(plane, u * plane.across, v * plane.down)
      }
    }
    for (let y = 0, at = 0, to = place * width * height; y < height; y++, at++) {
      const side = Math.abs((ys[y + 1] ?? 0) - (ys[y] ?? 0)) * pixels
      for (let x = 0; x < width; x++, at++, to++) {
        const ends = (sums[at] ?? 0) + (sums[at + row + 1] ?? 0)
        const sum = Math.abs(ends - (sums[at + 1] ?? 0) - (sums[at + row] ?? 0))
        const mean = sum / (Math.abs((xs[x + 1] ?? 0) - (xs[x] ?? 0)) * side)
        small[to] = Math.round(isFull ? toLimited(mean, place) : mean)
      }
    }
  }
  return small
}

/** The smallest part of a side that is read. */
const leastPart = 1e-6

/** The sum of everything left of and above each corner of a pixel, so that each mean takes four of them. */
type Sums = { readonly sums: Uint32Array; readonly across: number; readonly down: number }

function planeOf(values: Uint8Array, begin: number, [across, down]: Spot): Sums {
  const row = across + 1
  const sums = new Uint32Array(row * (down + 1))
  for (let y = 0, from = begin, at = row + 1; y < down; y++, at++) {
    let sum = 0
    for (let x = 0; x < across; x++, from++, at++) {
      sum += values[from] ?? 0
      sums[at] = (sums[at - row] ?? 0) + sum
    }
  }
  return { sums, across, down }
}

function meanIn(plane: Sums, one: Spot, other: Spot): number {
  const { across, down } = plane
  const left = beginIn(one[0], other[0])
  const right = endIn(one[0], other[0], left) * across
  const top = beginIn(one[1], other[1])
  const bottom = endIn(one[1], other[1], top) * down
  const x = left * across
  const y = top * down
  const lower = sumTo(plane, right, bottom) - sumTo(plane, x, bottom)
  const upper = sumTo(plane, right, y) - sumTo(plane, x, y)
  return (lower - upper) / ((right - x) * (bottom - y))
}

/** The sum at a point within a pixel, interpolated between its corners, as a pixel is the same everywhere. */
function sumTo({ sums, across, down }: Sums, x: number, y: number): number {
  const left = Math.min(Math.floor(x), across - 1)
  const top = Math.min(Math.floor(y), down - 1)
  const row = across + 1
  const at = top * row + left
  const u = x - left
  const v = y - top
  const upper = (sums[at] ?? 0) * (1 - u) + (sums[at + 1] ?? 0) * u
  const lower = (sums[at + row] ?? 0) * (1 - u) + (sums[at + row + 1] ?? 0) * u
  return upper * (1 - v) + lower * v
}

/** Both ends of a side, in order and within the picture. */
function beginIn(one: number, other: number): number {
  return Math.min(1 - leastPart, Math.max(0, Math.min(one, other)))
}
function endIn(one: number, other: number, begin: number): number {
  return Math.max(begin + leastPart, Math.min(1, Math.max(one, other)))
}

function colorSides({ width, height }: Size, { across, down }: Planes): [number, number] {
  return [Math.ceil(width / across), Math.ceil(height / down)]
}

/** The stored size of a picture; with pixels that are not square, one side differs from the size that is shown. */
function storedSize(values: number, layout: Planes, { width, height }: Size): Size | undefined {
  const isStored = (size: Size): boolean => {
    const [colorWidth, colorHeight] = colorSides(size, layout)
    return size.width * size.height + 2 * colorWidth * colorHeight === values
  }
  const ofBrightness = values / (1 + 2 / (layout.across * layout.down))
  const [narrower, lower] = [Math.round(ofBrightness / height), Math.round(ofBrightness / width)]
  return [
    { width, height },
    { width: narrower, height },
    { width, height: lower },
  ].find(isStored)
}

function inEightBits(bytes: Buffer): Buffer {
  const values = Buffer.alloc(bytes.length >> 1)
  for (let i = 0; i < values.length; i++) values[i] = bytes.readUInt16LE(2 * i) >> 2
  return values
}

/** Converts a mean of the full range to the limited one; plane 0 is brightness. */
function toLimited(mean: number, plane: number): number {
  return plane === 0 ? 16 + (mean * 219) / 255 : 128 + ((mean - 128) * 224) / 255
}

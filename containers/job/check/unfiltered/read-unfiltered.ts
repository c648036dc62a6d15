/** How a program stores the pixels of a picture, plane after plane. */
type Layout = {
  /** By how much the planes of colour are smaller. */
  readonly across: 1 | 2
  readonly down: 1 | 2
  readonly isFullRange?: boolean
  /** Of a value; more than eight take two bytes. */
  readonly bits?: 10
}

const layouts: Readonly<Record<string, Layout>> = {
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

/** A picture as it comes out of the decoder, and how it is stored. */
export type Unfiltered = {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly pixelFormat: string
  readonly isFullRange: boolean
}

type Point = readonly [x: number, y: number]

/** The mean brightness and colours between two corners of a picture, whose sides are 1. */
export type Reading = (one: Point, other: Point) => readonly [number, number, number]

/**
 * Reads the means of parts of a picture, to the fraction of a pixel: lines of a table or of a screen are thin, and at other places of the
 * film and of its source they would count for more or for less. Undefined if the picture is not stored as it has to be.
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
  const isFull = picture.isFullRange || layout.isFullRange === true
  const brightness = planeOf(values, 0, [width, height])
  const blue = planeOf(values, ofBrightness, [colorWidth, colorHeight])
  const red = planeOf(values, ofBrightness + colorWidth * colorHeight, [colorWidth, colorHeight])
  return (one, other) =>
    isFull
      ? [
          16 + (brightness(one, other) * 219) / 255,
          toLimited(blue(one, other)),
          toLimited(red(one, other)),
        ]
      : [brightness(one, other), blue(one, other), red(one, other)]
}

/** The least part of a side that is read. */
const leastPart = 1e-6

/** Keeps the sum of all that lies left of and above each corner of a pixel, so that each mean takes four of them. */
function planeOf(
  values: Uint8Array,
  begin: number,
  [across, down]: Point,
): (one: Point, other: Point) => number {
  const row = across + 1
  const sums = new Uint32Array(row * (down + 1))
  for (let y = 0; y < down; y++) {
    let sum = 0
    for (let x = 0; x < across; x++) {
      sum += values[begin + y * across + x] ?? 0
      sums[(y + 1) * row + x + 1] = (sums[y * row + x + 1] ?? 0) + sum
    }
  }
  /** Grows evenly from one corner to the next, as a pixel is the same everywhere. */
  const sumTo = (x: number, y: number): number => {
    const [left, top] = [Math.min(Math.floor(x), across - 1), Math.min(Math.floor(y), down - 1)]
    const at = top * row + left
    const [u, v] = [x - left, y - top]
    const upper = (sums[at] ?? 0) * (1 - u) + (sums[at + 1] ?? 0) * u
    const lower = (sums[at + row] ?? 0) * (1 - u) + (sums[at + row + 1] ?? 0) * u
    return upper * (1 - v) + lower * v
  }
  return (one, other) => {
    const [left, right] = sideOf(one[0], other[0], across)
    const [top, bottom] = sideOf(one[1], other[1], down)
    const sum = sumTo(right, bottom) - sumTo(left, bottom) - sumTo(right, top) + sumTo(left, top)
    return sum / ((right - left) * (bottom - top))
  }
}

/** Both ends of a side in pixels, in order, and inside of the picture. */
function sideOf(one: number, other: number, pixels: number): readonly [number, number] {
  const from = Math.min(1 - leastPart, Math.max(0, Math.min(one, other)))
  const to = Math.max(from + leastPart, Math.min(1, Math.max(one, other)))
  return [from * pixels, to * pixels]
}

function colorSides({ width, height }: Sides, { across, down }: Layout): [number, number] {
  return [Math.ceil(width / across), Math.ceil(height / down)]
}

type Sides = Pick<Unfiltered, 'width' | 'height'>

/** The size that a picture is stored in: where pixels are not square, one of its sides is another than the one that is shown. */
function storedSize(values: number, layout: Layout, { width, height }: Sides): Sides | undefined {
  const isStored = (size: Sides): boolean => {
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

function toLimited(color: number): number {
  return 128 + ((color - 128) * 224) / 255
}

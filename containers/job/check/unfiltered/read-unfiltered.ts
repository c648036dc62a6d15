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

/** Brightness and both colours at a place of a picture, whose sides are 1. */
export type Reading = (x: number, y: number) => readonly [number, number, number]

/** Pixels on each side of a place that are read with it, so that an edge counts for what it is. */
const around = [-0.75, -0.25, 0.25, 0.75] as const

/** Reads the means of small parts of a picture; undefined if it is not stored as it has to be. */
export function readerOf(
  picture: Unfiltered,
  partWidth: number,
  partHeight: number,
): Reading | undefined {
  const layout = layouts[picture.pixelFormat]
  if (!layout) return undefined
  const values = layout.bits ? inEightBits(picture.bytes) : picture.bytes
  const stored = storedSize(values.length, layout, picture)
  if (!stored) return undefined
  const { width, height } = stored
  const [colorWidth, colorHeight] = colorSides(stored, layout)
  const ofBrightness = width * height
  const ofColor = colorWidth * colorHeight
  const isFull = picture.isFullRange || layout.isFullRange === true
  const mean = (
    begin: number,
    across: number,
    down: number,
    [x, y]: readonly [number, number],
  ): number => {
    let sum = 0
    for (const dy of around) {
      const row = clamp(Math.floor((y + (dy * partHeight) / 2) * down), down)
      for (const dx of around) {
        const column = clamp(Math.floor((x + (dx * partWidth) / 2) * across), across)
        sum += values[begin + row * across + column] ?? 0
      }
    }
    return sum / around.length ** 2
  }
  return (x, y) => {
    const [brightness, blue, red] = [
      mean(0, width, height, [x, y]),
      mean(ofBrightness, colorWidth, colorHeight, [x, y]),
      mean(ofBrightness + ofColor, colorWidth, colorHeight, [x, y]),
    ]
    return isFull
      ? [16 + (brightness * 219) / 255, toLimited(blue), toLimited(red)]
      : [brightness, blue, red]
  }
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

function clamp(place: number, count: number): number {
  return Math.max(0, Math.min(count - 1, place))
}

import type { RgbPicture } from '../objects/object-model.ts'

export const hueNames = [
  'red',
  'orange',
  'yellow',
  'green',
  'cyan',
  'blue',
  'purple',
  'pink',
] as const
export type HueName = (typeof hueNames)[number]

/** The look of a picture, in a few numbers. */
export type PictureLook = {
  /** 0 … 255. */
  readonly light: number
  readonly contrast: number
  /** Mean distance between the strongest and the weakest of red, green and blue. */
  readonly colorfulness: number
  /** The share of the picture in each hue; pixels with hardly any colour belong to none. */
  readonly hues: Readonly<Record<HueName, number>>
  /** The mean colours of a grid of cells, for comparing pictures. */
  readonly signature: Uint8Array
}

/** The number of cells of the signature across and down; stored row by row as red, green, blue. */
export const gridSide = 12
/** Only every third pixel counts, across and down. */
const stride = 3
const minSaturation = 40

const noHues: Readonly<Record<HueName, number>> = {
  red: 0,
  orange: 0,
  yellow: 0,
  green: 0,
  cyan: 0,
  blue: 0,
  purple: 0,
  pink: 0,
}

export function lookOfPicture(picture: RgbPicture): PictureLook {
  const sums = { count: 0, light: 0, squares: 0, colorfulness: 0 }
  const hues = { ...noHues }
  const cells = new Float64Array(gridSide * gridSide * 4)
  const { width, height } = picture
  for (let y = 0; y < height; y += stride) {
    for (let x = 0; x < width; x += stride) {
      const color = colorAt(picture, x, y)
      const light = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue
      const spread =
        Math.max(color.red, color.green, color.blue) - Math.min(color.red, color.green, color.blue)
      sums.count++
      sums.light += light
      sums.squares += light * light
      sums.colorfulness += spread
      if (spread >= minSaturation) hues[hueOf(color, spread)]++
      const cell =
        Math.floor((y * gridSide) / height) * gridSide + Math.floor((x * gridSide) / width)
      addToCell(cells, cell, color)
    }
  }
  const { count } = sums
  const light = sums.light / count
  for (const name of hueNames) hues[name] /= count
  return {
    light,
    contrast: Math.sqrt(Math.max(0, sums.squares / count - light * light)),
    colorfulness: sums.colorfulness / count,
    hues,
    signature: signatureOf(cells),
  }
}

/** The mean difference between the cells of two pictures, 0 … 255. */
export function lookDistance(a: PictureLook, b: PictureLook): number {
  let sum = 0
  a.signature.forEach((value, i) => {
    sum += Math.abs(value - (b.signature[i] ?? 0))
  })
  return sum / a.signature.length
}

type MeanColor = { red: number; green: number; blue: number }

function colorAt({ width, pixels }: RgbPicture, x: number, y: number): MeanColor {
  const at = (y * width + x) * 3
  return { red: pixels[at] ?? 0, green: pixels[at + 1] ?? 0, blue: pixels[at + 2] ?? 0 }
}

/** Where each hue ends, in degrees. */
const hueEnds: readonly (readonly [HueName, number])[] = [
  ...([
    ['red', 15],
    ['orange', 42],
    ['yellow', 68],
    ['green', 160],
    ['cyan', 195],
  ] as const),
  ...([
    ['blue', 258],
    ['purple', 292],
    ['pink', 340],
    ['red', 360],
  ] as const),
]

function hueOf({ red, green, blue }: MeanColor, spread: number): HueName {
  const strongest = Math.max(red, green, blue)
  const sextant =
    strongest === red
      ? (green - blue) / spread
      : strongest === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4
  const degrees = (sextant * 60 + 360) % 360
  return hueEnds.find(([, end]) => degrees <= end)?.[0] ?? 'red'
}

function addToCell(cells: Float64Array, cell: number, { red, green, blue }: MeanColor): void {
  const parts = [red, green, blue, 1]
  parts.forEach((part, i) => {
    cells[cell * 4 + i] = (cells[cell * 4 + i] ?? 0) + part
  })
}

function signatureOf(cells: Float64Array): Uint8Array {
  const signature = new Uint8Array(gridSide * gridSide * 3)
  for (let cell = 0; cell < gridSide * gridSide; cell++) {
    const count = Math.max(1, cells[cell * 4 + 3] ?? 0)
    for (let part = 0; part < 3; part++) {
      signature[cell * 3 + part] = Math.round((cells[cell * 4 + part] ?? 0) / count)
    }
  }
  return signature
}

import { setImmediate as nextTurn } from 'node:timers/promises'

/** A picture in grey: values from 0 to 255, row by row. */
export type GrayFrame = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A moment of the video: its picture, and the one shortly after it, if there is one. */
export type FrameSample = { readonly first: GrayFrame; readonly next: GrayFrame | undefined }

type FrameMeasures = {
  readonly mean: number
  /** The standard deviation: 0 for a blank picture, and low for a dim one. */
  readonly contrast: number
  /** The root mean square of the differences between neighbouring pixels, which blur lowers. */
  readonly sharpness: number
  /** The share of the pixels in each range of levels. */
  readonly histogram: readonly number[]
}

/**
 * Scores how well each sample would represent the whole video: 0 for black and blank ones. The others are scored by
 * contrast, sharpness and brightness; a sample that is about to change, as in a fade, scores less, and a typical one
 * slightly more.
 */
export async function scoreFrames(samples: readonly FrameSample[]): Promise<number[]> {
  const looks: FrameMeasures[] = []
  const plain: number[] = []
  for (const { first, next } of samples) {
    // Each picture takes milliseconds, and other work waits for the same thread.
    await nextTurn()
    const look = lookOf(first)
    looks.push(look)
    await nextTurn()
    plain.push(plainScore(look, next))
  }
  const typical = meanHistogram(looks.filter((_, i) => (plain[i] ?? 0) > 0))
  return looks.map(({ histogram }, i) => {
    const distance = histogram.reduce(
      (sum, share, at) => sum + Math.abs(share - (typical[at] ?? 0)),
      0,
    )
    return (plain[i] ?? 0) * (1 - distance / 8)
  })
}

const bins = 32

function lookOf({ width, height, pixels }: GrayFrame): FrameMeasures {
  const histogram = new Array<number>(bins).fill(0)
  let sum = 0
  let squares = 0
  let steps = 0
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = pixels[i] ?? 0
      const across = x + 1 < width ? (pixels[i + 1] ?? 0) - value : 0
      const down = y + 1 < height ? (pixels[i + width] ?? 0) - value : 0
      sum += value
      squares += value * value
      steps += across * across + down * down
      const bin = (value * bins) >> 8
      histogram[bin] = (histogram[bin] ?? 0) + 1
    }
  }
  const count = Math.max(1, width * height)
  const mean = sum / count
  return {
    mean,
    contrast: Math.sqrt(Math.max(0, squares / count - mean * mean)),
    sharpness: Math.sqrt(steps / count),
    histogram: histogram.map((pixelsInBin) => pixelsInBin / count),
  }
}

/** Black with noise has this much contrast too. */
const blankContrast = 4
/** More contrast than this does not make a picture better. */
const fullContrast = 60
const darkMean = 50
const brightMean = 205

function plainScore(look: FrameMeasures, next: GrayFrame | undefined): number {
  const { mean, contrast, sharpness } = look
  if (contrast <= blankContrast) return 0
  const light = Math.min(1, mean / darkMean, (255 - mean) / (255 - brightMean))
  const steadiness = next ? steadinessOf(look, lookOf(next)) : 1
  return Math.min(1, contrast / fullContrast) * Math.sqrt(sharpness) * light * steadiness
}

/** A change of contrast or brightness by 5 % within the moment takes a quarter off the score, and one by 30 % nearly all of it. */
function steadinessOf(look: FrameMeasures, next: FrameMeasures): number {
  return Math.min(ratio(look.contrast, next.contrast), ratio(look.mean, next.mean)) ** 6
}

function ratio(a: number, b: number): number {
  // Without this, small differences between dark pictures would count as large changes.
  const [x, y] = [a + 4, b + 4]
  return Math.min(x, y) / Math.max(x, y)
}

function meanHistogram(looks: readonly FrameMeasures[]): number[] {
  return Array.from(
    { length: bins },
    (_, bin) =>
      looks.reduce((sum, { histogram }) => sum + (histogram[bin] ?? 0), 0) /
      Math.max(1, looks.length),
  )
}

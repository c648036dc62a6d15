import { meanOf } from '../../numbers/mean.ts'

/** Pictures for finding cuts: 32 by 18 cells of light, then 16 by 9 of each of two colours, as yuv420p. */
export const cellsAcross = 32
export const cellsDown = 18
const lightCells = cellsAcross * cellsDown
const colorCells = lightCells / 4
export const bytesOfCells = lightCells + 2 * colorCells

/** Successive pictures of one rate, one after the other. */
export type CellFilm = { readonly bytes: Uint8Array; readonly fps: number }

/** Measures by which pictures of a film are told apart. */
export type FilmLook = {
  readonly count: number
  /** The number of pictures in this many seconds; at least one. */
  frames(seconds: number): number
  /** The mean difference between two pictures, 0 … 255. */
  readonly apart: (a: number, b: number) => number
  /** The same, without changes that are alike everywhere. */
  readonly apartBesideLight: (a: number, b: number) => number
  /** The difference from the picture before. */
  readonly steps: Float32Array
  /** The mean of the steps from one picture to another. */
  meanStep(from: number, to: number): number
  readonly lights: Float32Array
  readonly contrasts: Float32Array
  /** 1 if both show the same, however bright and rich in contrast. */
  likeness(a: number, b: number): number
  /** The same, with one shifted by up to some cells so that it matches the other best. */
  movedLikeness(a: number, b: number, most: number): number
  /** How far a picture is from the mixture of two others. */
  unlikeMix(picture: number, mix: { a: number; b: number; share: number }): number
  /** The share of two pictures in which they differ by so much. */
  shareApart(a: number, b: number, least: number): number
  /** How far a picture is from one that is put together of cells of two others. */
  unlikeEither(picture: number, a: number, b: number): number
}

export function lookAt({ bytes: stored, fps }: CellFilm): FilmLook {
  const bytes = inFullLight(stored)
  const count = Math.floor(bytes.length / bytesOfCells)
  const cell = (picture: number, at: number): number => bytes[picture * bytesOfCells + at] ?? 0
  const apart = (a: number, b: number): number => {
    let [light, color] = [0, 0]
    for (let at = 0; at < lightCells; at++) light += Math.abs(cell(a, at) - cell(b, at))
    for (let at = lightCells; at < bytesOfCells; at++) color += Math.abs(cell(a, at) - cell(b, at))
    return light / lightCells + color / colorCells
  }
  const steps = new Float32Array(count)
  const lights = new Float32Array(count)
  const contrasts = new Float32Array(count)
  for (let picture = 0; picture < count; picture++) {
    if (picture > 0) steps[picture] = apart(picture - 1, picture)
    let [sum, squares] = [0, 0]
    for (let at = 0; at < lightCells; at++) {
      sum += cell(picture, at)
      squares += cell(picture, at) ** 2
    }
    lights[picture] = sum / lightCells
    contrasts[picture] = Math.sqrt(Math.max(0, squares / lightCells - (sum / lightCells) ** 2))
  }
  const likeness = (a: number, b: number): number => {
    const [meanA = 0, meanB = 0] = [lights[a], lights[b]]
    let sum = 0
    for (let at = 0; at < lightCells; at++) sum += (cell(a, at) - meanA) * (cell(b, at) - meanB)
    return sum / lightCells / Math.max(1, (contrasts[a] ?? 0) * (contrasts[b] ?? 0))
  }
  return {
    ...{ count, apart, steps, lights, contrasts, likeness },
    movedLikeness: (a, b, most) => {
      let best = -1
      for (let down = -most; down <= most; down++) {
        for (let across = -most; across <= most; across++) {
          best = Math.max(best, likenessMoved(cell, [a, b], across, down))
        }
      }
      return best
    },
    meanStep: (from, to) => meanOf(steps.subarray(Math.max(1, from + 1), Math.min(count, to + 1))),
    frames: (seconds) => Math.max(1, Math.round(seconds * fps)),
    unlikeMix: (picture, { a, b, share }) => {
      let sum = 0
      for (let at = 0; at < lightCells; at++) {
        sum += Math.abs(cell(picture, at) - (1 - share) * cell(a, at) - share * cell(b, at))
      }
      return sum / lightCells
    },
    shareApart: (...asked) => shareApart(cell, ...asked),
    unlikeEither: (...asked) => unlikeEither(cell, ...asked),
    apartBesideLight: (a, b) => apartBesideLight(cell, a, b),
  }
}

/** Films of a dark place have less contrast than this; they are seen as if it were as much. */
const usualContrast = 28
const mostGain = 4
const black = 16
const colorless = 128

/** Makes a dark film as bright as others, so that equal differences in it are equally large. */
function inFullLight(bytes: Uint8Array): Uint8Array {
  const count = Math.floor(bytes.length / bytesOfCells)
  const spreads: number[] = []
  for (let picture = 0; picture < count; picture++) {
    const lights = bytes.subarray(picture * bytesOfCells, picture * bytesOfCells + lightCells)
    const mean = lights.reduce((sum, light) => sum + light, 0) / lightCells
    spreads.push(
      Math.sqrt(lights.reduce((sum, light) => sum + (light - mean) ** 2, 0) / lightCells),
    )
  }
  const most = spreads.sort((a, b) => a - b)[Math.floor(count * 0.9)] ?? 0
  const gain = Math.min(mostGain, usualContrast / Math.max(1, most))
  if (gain <= 1) return bytes
  return bytes.map((value, at) => {
    const zero = at % bytesOfCells < lightCells ? black : colorless
    return Math.min(255, Math.max(0, Math.round(zero + gain * (value - zero))))
  })
}

type Cells = (picture: number, at: number) => number

function apartBesideLight(cell: Cells, a: number, b: number): number {
  const planes = [0, lightCells, lightCells + colorCells, bytesOfCells]
  return planes.slice(1).reduce((total, end, i) => {
    const from = planes[i] ?? 0
    const differences = Array.from(
      { length: end - from },
      (_, at) => cell(a, from + at) - cell(b, from + at),
    )
    const shift = meanOf(differences)
    return total + meanOf(differences.map((one) => Math.abs(one - shift)))
  }, 0)
}

function shareApart(cell: Cells, a: number, b: number, least: number): number {
  let cells = 0
  for (let at = 0; at < lightCells; at++) {
    if (Math.abs(cell(a, at) - cell(b, at)) >= least) cells++
  }
  return cells / lightCells
}

function unlikeEither(cell: Cells, picture: number, a: number, b: number): number {
  let sum = 0
  for (let at = 0; at < lightCells; at++) {
    const here = cell(picture, at)
    sum += Math.min(Math.abs(here - cell(a, at)), Math.abs(here - cell(b, at)))
  }
  return sum / lightCells
}

/** How alike the parts are that both pictures show, if a camera moved by some cells in between. */
function likenessMoved(
  cell: Cells,
  [a, b]: readonly [number, number],
  across: number,
  down: number,
) {
  let [count, sumA, sumB, squaresA, squaresB, both] = [0, 0, 0, 0, 0, 0]
  for (let y = Math.max(0, -down); y < cellsDown - Math.max(0, down); y++) {
    for (let x = Math.max(0, -across); x < cellsAcross - Math.max(0, across); x++) {
      const one = cell(a, y * cellsAcross + x)
      const other = cell(b, (y + down) * cellsAcross + x + across)
      count += 1
      sumA += one
      sumB += other
      squaresA += one ** 2
      squaresB += other ** 2
      both += one * other
    }
  }
  const spread = (sum: number, squares: number) =>
    Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
  const together = both / count - (sumA / count) * (sumB / count)
  return together / Math.max(1, spread(sumA, squaresA) * spread(sumB, squaresB))
}

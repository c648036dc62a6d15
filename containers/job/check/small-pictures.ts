import { meanOff } from './shown/compare-on-grid.ts'
import { meanOf } from '../../numbers/mean.ts'

/** The size of small pictures in RGB: each pixel stands for a block of the film. */
export const smallSize = { width: 32, height: 18 } as const
const blocks = smallSize.width * smallSize.height
export const bytesPerPicture = blocks * 3

/** The brightness of each block, from 0 to 255. */
function brightness(picture: Buffer): Float64Array {
  const values = new Float64Array(blocks)
  for (let i = 0, at = 0; i < blocks; i++, at += 3) {
    values[i] =
      0.2126 * (picture[at] ?? 0) +
      0.7152 * (picture[at + 1] ?? 0) +
      0.0722 * (picture[at + 2] ?? 0)
  }
  return values
}

const blackBelow = 14
const shownAbove = 40

export function isBlack(picture: Buffer): boolean {
  return brightness(picture).every((value) => value < blackBelow)
}

/** Whether most of a picture shows something. */
export function isShown(picture: Buffer | undefined): boolean {
  return picture !== undefined && shareOf(brightness(picture), (value) => value > shownAbove) > 0.5
}

/** How much a block may change if an encoder only refines it. */
const sameStep = 2.5
const movedStep = 7

/** Whether all of these pictures show the same. */
export function isFrozen(pictures: readonly Buffer[]): boolean {
  const [first, ...others] = pictures.map(brightness)
  if (!first || others.length === 0) return false
  return others.every((one) =>
    one.every((value, i) => Math.abs(value - (first[i] ?? 0)) < sameStep),
  )
}

/** Whether most blocks of these pictures move, so that nothing laid over a part of them can hide it. */
export function movesAllOver(pictures: readonly Buffer[]): boolean {
  const all = pictures.map(brightness)
  const moved = Array.from({ length: blocks }, (_, i) => {
    const values = all.map((one) => one[i] ?? 0)
    return Math.max(...values) - Math.min(...values)
  })
  return shareOf(moved, (value) => value > movedStep) > 0.5
}

type Likeness = {
  /** 1 if both show the same, however bright. */
  readonly correlation: number
  /** How much more contrast the second picture has. */
  readonly gain: number
  /** The largest difference of the mean red, green or blue. */
  readonly apart: number
  /** The mean difference of a colour of a block. */
  readonly off: number
}

/** How a picture of the film compares with that of its source. */
export function compare(source: Buffer, film: Buffer): Likeness {
  const [a, b] = [brightness(source), brightness(film)]
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let [both, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < blocks; i++) {
    const x = (a[i] ?? 0) - meanA
    const y = (b[i] ?? 0) - meanB
    both += x * y
    ofA += x * x
    ofB += y * y
  }
  const apart = [0, 1, 2].map((channel) =>
    Math.abs(meanOfChannel(source, channel) - meanOfChannel(film, channel)),
  )
  return {
    correlation: both / Math.max(1e-9, Math.sqrt(ofA * ofB)),
    gain: both / Math.max(1e-9, ofA),
    apart: Math.max(...apart),
    off: meanOff(film, source, 0, film.length),
  }
}

/** The difference in brightness of two pictures where they differ most. */
export function differenceOf(one: Buffer, other: Buffer): number {
  return whereMostApart(brightness(one), brightness(other))
}

/** The difference of two pictures in the quarter of their values that differs most. */
export function whereMostApart(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const off = new Float64Array(one.length)
  for (let i = 0; i < off.length; i++) off[i] = Math.abs((one[i] ?? 0) - (other[i] ?? 0))
  return meanOf(off.sort().subarray(Math.floor(off.length * 0.75)))
}

function meanOfChannel(picture: Buffer, channel: number): number {
  let sum = 0
  for (let i = channel; i < picture.length; i += 3) sum += picture[i] ?? 0
  return sum / blocks
}

function shareOf(values: ArrayLike<number>, fits: (value: number) => boolean): number {
  const all = Array.from(values)
  return all.filter(fits).length / Math.max(1, all.length)
}

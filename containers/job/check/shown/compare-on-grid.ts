import type { Grid } from './picture-grid.ts'

/** A picture of the film and the most similar one that the plan makes. */
export type Match = {
  /** 1 if both show the same, however bright. */
  readonly likeness: number
  /** The mean deviation of cells from their mean, in the planned picture and in that of the film. */
  readonly contrast: number
  readonly filmContrast: number
  /** The mean difference of cells, in brightness and in colour. */
  readonly off: number
  readonly colorOff: number
  /** How far the colours of the planned picture are from grey. */
  readonly colorful: number
  /** The difference of each cell, in brightness or in colour. */
  readonly cells: Uint8Array
  readonly film: Buffer
  readonly planned: Buffer
}

/** `near`: the place of the planned picture that is probably the most similar one. */
export function matchOf(
  grid: Grid,
  film: Buffer,
  planned: readonly Buffer[],
  near = 0,
): Match | undefined {
  const count = grid.width * grid.height
  // Pictures of even brightness differ only in their colours.
  const best = planned[planned.length > 1 ? nearestTo(film, planned, near) : 0]
  if (!best) return undefined
  const cells = new Uint8Array(count)
  let colorful = 0
  for (let i = 0; i < count; i++) {
    const u = best[count + i] ?? gray
    const v = best[2 * count + i] ?? gray
    cells[i] = Math.max(
      Math.abs((film[i] ?? 0) - (best[i] ?? 0)),
      Math.abs((film[count + i] ?? gray) - u),
      Math.abs((film[2 * count + i] ?? gray) - v),
    )
    colorful += (Math.abs(u - gray) + Math.abs(v - gray)) / 2
  }
  return {
    ...correlate(film, best, count),
    ...{ off: meanOff(film, best, 0, count), colorOff: meanOff(film, best, count, 3 * count) },
    ...{ colorful: colorful / count, cells, film, planned: best },
  }
}

const gray = 128

/** The place of the picture that differs least. Those around `near` come first, so that most others are soon known to differ more. */
function nearestTo(film: Buffer, planned: readonly Buffer[], near: number): number {
  let [least, nearest] = [Infinity, 0]
  const order = [...planned.keys()].toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))
  for (const place of order) {
    const off = differenceUpTo(least, film, planned[place] ?? film)
    if (off > least || (off === least && place > nearest)) continue
    least = off
    nearest = place
  }
  return nearest
}

const cellsAtOnce = 256

/** The sum of all differences, or one that is larger than `most`. */
function differenceUpTo(most: number, one: Buffer, other: Buffer): number {
  let sum = 0
  for (let from = 0; from < one.length && sum <= most; from += cellsAtOnce) {
    const to = Math.min(from + cellsAtOnce, one.length)
    for (let i = from; i < to; i++) sum += Math.abs((one[i] ?? 0) - (other[i] ?? 0))
  }
  return sum
}

export function meanOff(one: Buffer, other: Buffer, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += Math.abs((one[i] ?? 0) - (other[i] ?? 0))
  return sum / Math.max(1, to - from)
}

/** How much each picture differs from the one before it, in brightness. */
export function stepsIn({ width, height }: Grid, pictures: readonly Buffer[]): number[] {
  return pictures.slice(1).map((one, i) => meanOff(one, pictures[i] ?? one, 0, width * height))
}

export function correlate(film: Buffer, planned: Buffer, count: number) {
  let [ofFilm, ofPlanned, both, a, b] = [0, 0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    const x = film[i] ?? 0
    const y = planned[i] ?? 0
    ofFilm += x
    ofPlanned += y
    both += x * y
    a += x * x
    b += y * y
  }
  const all = Math.max(1, count)
  a = Math.max(0, a - ofFilm ** 2 / all)
  b = Math.max(0, b - ofPlanned ** 2 / all)
  return {
    likeness: (both - (ofFilm * ofPlanned) / all) / Math.max(1e-9, Math.sqrt(a * b)),
    contrast: Math.sqrt(b / all),
    filmContrast: Math.sqrt(a / all),
  }
}

/** How like a planned picture would be to one of the film if it was mirrored or turned. */
export function likenessTurned(
  { width, height }: Grid,
  { film, planned }: { readonly film: Buffer; readonly planned: Buffer },
  { across, down }: { readonly across: boolean; readonly down: boolean },
): number {
  const turned = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (down ? height - 1 - y : y) * width + (across ? width - 1 - x : x)
      turned[y * width + x] = planned[from] ?? 0
    }
  }
  return correlate(film, turned, width * height).likeness
}

/** The number of cells in the largest connected area whose cells all differ by more than this. */
export function largestArea({ width, height }: Grid, cells: Uint8Array, most: number): number {
  const left = cells.map((off) => (off > most ? 1 : 0))
  let largest = 0
  for (let begin = left.indexOf(1); begin >= 0; begin = left.indexOf(1, begin)) {
    const open = [begin]
    let size = 0
    left[begin] = 0
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size += 1
      const x = at % width
      const near = [
        ...(x > 0 ? [at - 1] : []),
        ...(x < width - 1 ? [at + 1] : []),
        ...(at >= width ? [at - width] : []),
        ...(at < (height - 1) * width ? [at + width] : []),
      ]
      for (const one of near) {
        if (left[one] !== 1) continue
        left[one] = 0
        open.push(one)
      }
    }
    largest = Math.max(largest, size)
  }
  return largest
}

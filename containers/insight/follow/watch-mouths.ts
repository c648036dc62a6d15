import type { MouthMoves } from '../../timeline/seen-shots.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import { boxBetween, type Box } from '../../numbers/picture-box.ts'
import type { RgbPicture } from '../objects/object-model.ts'

/** A picture of a film, and when it is shown. */
export type Watched = { readonly seconds: number; readonly picture: RgbPicture }

/** A face is reduced to this many dots across, whatever its size. */
const across = 40
const down = 52
/** The part around eyes and nose, which moves only with the head, and the part around the mouth, in dots. */
const upper = { left: 6, right: 34, top: 4, bottom: 28 }
const lower = { left: 8, right: 32, top: 32, bottom: 50 }
/** How far the head may move between two pictures in addition to its box, in dots. */
const mostShift = 3
/** Differences of this size, of 255, are noise. */
const noise = 1.5

/**
 * How much the mouth of a face moves from each picture to the next, while the face moves evenly from place to place: by how
 * much more the picture changes there than around the eyes, without the motion of the head. Pictures come at one rate.
 */
export function watchMouth(
  pictures: readonly Watched[],
  from: Box,
  to: SeenFace,
): MouthMoves | undefined {
  const [first, last] = [pictures[0], pictures.at(-1)]
  if (!first || !last || first === last) return undefined
  const length = Math.max(1e-6, last.seconds - first.seconds)
  const dots = pictures.map(({ seconds, picture }) =>
    dotsOf(picture, boxBetween(from, to, (seconds - first.seconds) / length)),
  )
  const moved = dots.slice(1).map((after, i) => movement(dots[i] ?? after, after))
  return { everySeconds: length / moved.length, moved }
}

/** Green is most of what the eye sees as light. */
function dotsOf({ width, height, pixels }: RgbPicture, box: Box): Float32Array {
  const dots = new Float32Array(across * down)
  const stepX = ((box.right - box.left) * width) / across
  const stepY = ((box.bottom - box.top) * height) / down
  for (let row = 0; row < down; row++) {
    const y = Math.min(height - 1.001, Math.max(0, box.top * height + (row + 0.5) * stepY - 0.5))
    for (let column = 0; column < across; column++) {
      const x = Math.min(
        width - 1.001,
        Math.max(0, box.left * width + (column + 0.5) * stepX - 0.5),
      )
      const [left, top] = [Math.floor(x), Math.floor(y)]
      const [right, below] = [x - left, y - top]
      const at = (top * width + left) * 3 + 1
      const green = (place: number): number => pixels[place] ?? 0
      const high = green(at) + right * (green(at + 3) - green(at))
      const low =
        green(at + width * 3) + right * (green(at + width * 3 + 3) - green(at + width * 3))
      dots[row * across + column] = high + below * (low - high)
    }
  }
  return dots
}

type Area = typeof upper

function movement(before: Float32Array, after: Float32Array): number {
  let best = { difference: Infinity, shift: 0, light: 0 }
  for (let y = -mostShift; y <= mostShift; y++) {
    for (let x = -mostShift; x <= mostShift; x++) {
      const shift = y * across + x
      const light = meanOf(before, after, upper, shift)
      const difference = apart(before, after, upper, { shift, light })
      if (difference < best.difference) best = { difference, shift, light }
    }
  }
  const around = apart(before, after, lower, best)
  return Math.max(0, Math.log((around + noise) / (best.difference + noise)))
}

/** By how much the second picture is lighter. */
function meanOf(before: Float32Array, after: Float32Array, area: Area, shift: number): number {
  let sum = 0
  for (let row = area.top; row < area.bottom; row += 2) {
    for (let at = row * across + area.left; at < row * across + area.right; at += 2) {
      sum += (after[at + shift] ?? 0) - (before[at] ?? 0)
    }
  }
  return sum / (((area.bottom - area.top) / 2) * ((area.right - area.left) / 2))
}

function apart(
  before: Float32Array,
  after: Float32Array,
  area: Area,
  { shift, light }: { readonly shift: number; readonly light: number },
): number {
  let sum = 0
  for (let row = area.top; row < area.bottom; row++) {
    for (let at = row * across + area.left; at < row * across + area.right; at++) {
      sum += Math.abs((after[at + shift] ?? 0) - (before[at] ?? 0) - light)
    }
  }
  return sum / ((area.bottom - area.top) * (area.right - area.left))
}

import type { Box } from '../objects/find-boxes.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { medianOf } from '../../numbers/mean.ts'

/** Squares of this many pixels a side are compared, by one of `apart` pixels in each direction. */
const side = 32
const apart = 4
/** How much a square changes on average where something appears, of 255. */
const leastChange = 8
/** And how many times as much as most of the picture, which a camera that moves changes as well. */
const leastTimes = 4
/** What is looked at around a square has those beside it, so that they need no look of their own. */
const reach = 2 * side

/** Where a part of a picture alone is another one than just before, the most changed places first. */
export function changedPlaces(before: RgbPicture, after: RgbPicture): Box[] {
  const { width, height } = after
  const squares = changesOf(before, after)
  const usual = medianOf(squares.map(({ change }) => change))
  const places: { x: number; y: number }[] = []
  for (const { x, y, change } of squares.toSorted((a, b) => b.change - a.change)) {
    if (change < Math.max(leastChange, leastTimes * usual)) break
    const isNear = places.some((one) => Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) < reach)
    if (!isNear) places.push({ x, y })
  }
  return places.map(({ x, y }) => ({
    ...{ left: x / width, right: (x + side) / width },
    ...{ top: y / height, bottom: (y + side) / height },
  }))
}

function changesOf(before: RgbPicture, { width, height, pixels }: RgbPicture) {
  const squares: { x: number; y: number; change: number }[] = []
  for (const top of startsIn(height)) {
    for (const left of startsIn(width)) {
      let sum = 0
      for (let y = top; y < top + side; y += apart) {
        for (let x = left; x < left + side; x += apart) {
          // Green alone: it is most of what is bright.
          const at = (y * width + x) * 3 + 1
          sum += Math.abs((pixels[at] ?? 0) - (before.pixels[at] ?? 0))
        }
      }
      squares.push({ x: left, y: top, change: sum / (side / apart) ** 2 })
    }
  }
  return squares
}

/** Where the squares of a side of the picture begin: the last one may share some of its pixels with the one before. */
function startsIn(length: number): number[] {
  const count = Math.ceil(length / side)
  return Array.from({ length: count }, (_, i) => Math.max(0, Math.min(i * side, length - side)))
}

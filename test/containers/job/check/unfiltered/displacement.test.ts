import { expect, it } from 'vitest'
import {
  isDisplaced,
  isInPlace,
} from '../../../../../containers/job/check/unfiltered/displacement.ts'
import { readerOf } from '../../../../../containers/job/check/unfiltered/read-unfiltered.ts'

const size = { width: 360, height: 240 }

/** Something that is nowhere the same. */
const valueAt = (x: number, y: number): number =>
  128 + 50 * Math.sin(x ** 1.3 / 25) + 40 * Math.sin(y ** 1.35 / 22)

function readingOf(at: (x: number, y: number) => number) {
  const { width, height } = size
  const bytes = Buffer.alloc((width * height * 3) / 2, 128)
  for (let i = 0; i < width * height; i++) bytes[i] = at(i % width, Math.floor(i / width))
  const reading = readerOf({ ...size, bytes, pixelFormat: 'yuv420p', isFullRange: false })
  if (!reading) throw new Error('It cannot be read.')
  return reading
}

const source = readingOf(valueAt)
const geometry = {
  shown: { x: 0, y: 0, width: 1, height: 1 },
  placeIn: (x: number, y: number) => [x, y] as const,
}
const [middleX, middleY] = [size.width / 2, size.height / 2]

it.each([
  ['is the same', valueAt, false],
  ['begins two pixels later', (x: number, y: number) => valueAt(x - 2, y), false],
  ['begins six pixels later', (x: number, y: number) => valueAt(x - 6, y), true],
  ['lies six pixels too high', (x: number, y: number) => valueAt(x, y + 6), true],
  [
    'is too large',
    (x: number, y: number) =>
      valueAt(middleX + (x - middleX) * 0.96, middleY + (y - middleY) * 0.96),
    true,
  ],
])('tells of a picture that %s whether it lies beside its place', (_what, at, expected) => {
  const both = { film: readingOf(at), source }
  expect(isDisplaced(both, geometry, size)).toBe(expected)
  if (expected) expect(isInPlace(both, geometry, size)).toBe(false)
})

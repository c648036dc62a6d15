import { expect, it } from 'vitest'
import {
  hasLostDetail,
  changeOfShapes,
} from '../../../../../containers/job/check/unfiltered/detail.ts'
import { readerOf } from '../../../../../containers/job/check/unfiltered/read-unfiltered.ts'

const size = { width: 320, height: 180 }
type ValueAt = (x: number, y: number) => number

function pictureOf(valueAt: ValueAt) {
  const bytes = Buffer.alloc(size.width * size.height)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Math.round(valueAt(i % size.width, Math.floor(i / size.width)))
  }
  return { ...size, bytes }
}

const noiseAt = (x: number, y: number): number => 20 * Math.sin((x * 12.9898 + y * 78.233) ** 1.5)
/** Fine lines on a fifth of it. */
const lines: ValueAt = (x) => (x < size.width / 5 ? 100 + 60 * (x % 2) : 100)
const blurred =
  (valueAt: ValueAt): ValueAt =>
  (x, y) =>
    (valueAt(x - 1, y) + 2 * valueAt(x, y) + valueAt(x + 1, y)) / 4
const fainter =
  (valueAt: ValueAt): ValueAt =>
  (x, y) =>
    100 + 0.7 * (valueAt(x, y) - 100)
const grain: ValueAt = (x, y) => 100 + noiseAt(x, y)

it.each([
  ['whose lines are blurred', blurred(lines), lines, true],
  ['whose lines are only fainter', fainter(lines), lines, false],
  ['that has lost the grain of its source', blurred(grain), grain, false],
  ['of a source without details', blurred(() => 100), () => 100, false],
] as const)('knows whether a picture has lost details: one %s', (_what, film, source, lost) => {
  const placeIn = (x: number, y: number) => [x, y] as const
  expect(hasLostDetail(pictureOf(film), pictureOf(source), placeIn)).toBe(lost)
})

/** Bars that are six pixels wide, on a fifth of it. */
const bars: ValueAt = (x) => (x < size.width / 5 && x % 12 < 6 ? 160 : 100)
const blurredOver =
  (pixels: number, valueAt: ValueAt): ValueAt =>
  (x, y) => {
    const around = Array.from({ length: 2 * pixels + 1 }, (_, i) => valueAt(x + i - pixels, y))
    return around.reduce((sum, one) => sum + one, 0) / around.length
  }

const sharpened =
  (valueAt: ValueAt): ValueAt =>
  (x, y) =>
    2 * valueAt(x, y) - blurredOver(3, valueAt)(x, y)

it.each([
  ['is blurred over several pixels', blurredOver(5, bars), bars, 'lost'],
  ['is blurred over a pixel', blurredOver(1, bars), bars, undefined],
  ['is sharpened', sharpened(bars), bars, 'sharpened'],
  ['is the same', bars, bars, undefined],
  ['is of a source without shapes', () => 100, () => 100, undefined],
] as const)(
  'knows whether a picture has lost its shapes or has harder ones: one that %s',
  (_what, film, source, change) => {
    const readingOf = (valueAt: ValueAt) => {
      const bytes = Buffer.concat([
        pictureOf(valueAt).bytes,
        Buffer.alloc((size.width * size.height) / 2),
      ])
      const reading = readerOf({ ...size, bytes, pixelFormat: 'yuv420p', isFullRange: false })
      if (!reading) throw new Error('It cannot be read.')
      return reading
    }
    const both = { film: readingOf(film), source: readingOf(source) }
    const geometry = {
      shown: { x: 0, y: 0, width: 1, height: 1 },
      placeIn: (x: number, y: number) => [x, y] as const,
    }
    const of = { source: size, isOfUsualQuality: true }
    expect(changeOfShapes(both, geometry, size, of)).toBe(change)
    // Enlarged ten times, it cannot tell: shapes of a few pixels are none of the source's.
    const small = { ...of, source: { width: 32, height: 18 } }
    expect(changeOfShapes(both, geometry, size, small)).toBeUndefined()
  },
)

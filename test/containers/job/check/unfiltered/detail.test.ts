import { expect, it } from 'vitest'
import { hasLostDetail } from '../../../../../containers/job/check/unfiltered/detail.ts'

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

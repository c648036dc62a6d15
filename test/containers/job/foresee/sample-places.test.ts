import { expect, it } from 'vitest'
import { samplePlaces } from '../../../../containers/job/foresee/sample-places.ts'

const spans = (...edges: number[]) =>
  edges.slice(1).map((end, i) => ({ start: edges[i] ?? 0, end }))

it.each([
  ['the middle of a short film', spans(0, 2), 1, [[0.6, 1]]],
  [
    'several places of one stretch',
    spans(0, 12),
    3,
    [
      [1.6, 1 / 3],
      [5.6, 1 / 3],
      [9.6, 1 / 3],
    ],
  ],
  [
    'each stretch, however short',
    spans(0, 1, 9),
    2,
    [
      [0.1, 1 / 9],
      [4.6, 8 / 9],
    ],
  ],
  [
    'the longest stretch more often',
    spans(0, 1, 9),
    3,
    [
      [0.1, 1 / 9],
      [2.6, 4 / 9],
      [6.6, 4 / 9],
    ],
  ],
  [
    'two stretches as one, where few places are wanted',
    spans(0, 1, 9, 20),
    2,
    [
      [4.1, 0.45],
      [14.1, 0.55],
    ],
  ],
])('looks at %s', (_what, stretches, places, expected) => {
  const found = samplePlaces(stretches, { places, seconds: 0.8 })
  const rounded = found.map(({ startTime, share }) =>
    [startTime, share].map((n) => Number(n.toFixed(3))),
  )
  expect(rounded).toEqual(expected.map((one) => one.map((n) => Number(n.toFixed(3)))))
  expect(found.every(({ duration }) => duration === 0.8)).toBe(true)
})

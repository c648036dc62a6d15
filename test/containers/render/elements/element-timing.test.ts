import { describe, expect, it } from 'vitest'
import { elementSpan } from '../../../../containers/render/elements/element-timing.ts'

describe('elementSpan', () => {
  it.each([
    [undefined, { start: 0, end: 10 }],
    [{}, { start: 0, end: 10 }],
    [{ startTime: 4 }, { start: 4, end: 10 }],
    [{ endTime: 4 }, { start: 0, end: 4 }],
    [
      { startTime: 4, endTime: 99 },
      { start: 4, end: 10 },
    ],
    [
      { startTime: 4, endTime: 6, entireVideo: true },
      { start: 0, end: 10 },
    ],
    [
      { startTime: 4, endTime: 6, entireVideo: false },
      { start: 4, end: 6 },
    ],
    [{ startTime: 10 }, undefined],
  ])('makes of %o in 10 seconds: %o', (timing, span) => {
    expect(elementSpan(timing, 10)).toEqual(span)
  })
})

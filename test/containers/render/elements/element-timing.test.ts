import { describe, expect, it } from 'vitest'
import { nothingRemoved } from '../../../../containers/timeline/list-cuts.ts'
import { elementSpan, lateWarning } from '../../../../containers/render/elements/element-timing.ts'

const frameRate = { frames: 25, seconds: 1 }
const film = {
  timeline: { frameRate, clipFrames: [250], totalFrames: 250 },
  removed: nothingRemoved,
  joints: [],
  durationSeconds: 10,
}
const all = [
  { from: 25, to: 75 },
  { from: 100, to: 125 },
]
const cut = {
  timeline: { frameRate, clipFrames: [100, 150, 75], totalFrames: 325 },
  removed: { ...nothingRemoved, all, asked: all },
  joints: [],
  durationSeconds: 10,
}
/** The second clip begins half a second before the first one ends, over the cut between them. */
const led = {
  ...cut,
  joints: [{ from: 100, to: 125, frames: 12, type: 'crossfade', color: '#000000' } as const],
  durationSeconds: 9.52,
}

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
    expect(elementSpan({ timing }, film)).toEqual(span)
  })

  it.each([
    // Two seconds of the first clip and one of the second are cut.
    [1, undefined, { start: 0, end: 2 }],
    [2, undefined, { start: 2, end: 7 }],
    [2, { startTime: 1, endTime: 3 }, { start: 3, end: 5 }],
    [2, { startTime: 4, endTime: 99 }, { start: 6, end: 7 }],
    [1, { startTime: 2 }, undefined],
    [3, undefined, { start: 7, end: 10 }],
    [4, undefined, undefined],
  ])('counts in what the cuts leave of clip %i: %o', (clip, timing, span) => {
    expect(elementSpan({ clip, timing }, cut)).toEqual(span)
  })

  it('begins with the transition into its clip, and ends with the one out of it', () => {
    expect(elementSpan({ clip: 1, timing: {} }, led)).toEqual({ start: 0, end: 2 })
    expect(elementSpan({ clip: 2, timing: {} }, led)).toEqual({ start: 1.52, end: 6.52 })
  })

  it('says how much is left of a clip', () => {
    expect(lateWarning(3, { clip: 1, timing: { startTime: 2.5 } }, cut)).toBe(
      'elements[3] was left out: it starts at 2.5 s, and 2 s are left of clip 1.',
    )
  })
})

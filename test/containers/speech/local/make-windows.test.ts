import { describe, expect, it } from 'vitest'
import {
  inStep,
  makeWindows,
  quietestPoint,
} from '../../../../containers/speech/local/make-windows.ts'

const settings = { mergeGap: 100, longest: 1_000, padding: 20, step: 8 }

describe('makeWindows', () => {
  it('decodes near stretches together and distant ones separately, each with a margin, also beyond the sound', () => {
    const speech = [
      { start: 10, end: 200 },
      { start: 250, end: 400 },
      { start: 700, end: 800 },
    ]
    expect(makeWindows(speech, settings)).toEqual([
      { start: -20, end: 420 },
      { start: 680, end: 820 },
    ])
  })

  it('merges no further than the longest window', () => {
    const speech = [
      { start: 0, end: 900 },
      { start: 910, end: 1_100 },
    ]
    expect(makeWindows(speech, settings)).toEqual([
      { start: -20, end: 905 },
      { start: 905, end: 1_120 },
    ])
  })

  it('begins with the sound if a voice is heard soon after it', () => {
    const startOf = (start: number) => makeWindows([{ start, end: 500 }], settings)[0]?.start
    expect([0, 30, 40, 90].map(startOf)).toEqual([-20, -20, 20, 70])
  })

  it('has no window where nobody speaks', () => {
    expect(makeWindows([], settings)).toEqual([])
  })
})

describe('quietestPoint', () => {
  it('cuts in the middle of the pause', () => {
    const sound = new Float32Array(2_000).fill(0.5)
    sound.fill(0, 900, 1_101)
    const cut = quietestPoint(sound, 500, 1_500, 100)
    expect(Math.abs(cut - 1_000)).toBeLessThanOrEqual(10)
  })
})

describe('inStep', () => {
  /** The same speech, found from a block that begins a little earlier or later. */
  const heardFrom = (start: number, earliest = -Infinity) => {
    const peak = 5_017
    const excerpt = new Float32Array(2_000)
    excerpt[peak - start] = -0.9
    excerpt[40] = 0.5
    return inStep({ start, end: 8_000 + (start % 30) }, excerpt, { step: 100, earliest })
  }

  it('begins and ends at the same samples of the same speech, wherever the blocks of the detector begin', () => {
    for (const start of [4_370, 4_400, 4_460]) {
      expect(heardFrom(start)).toEqual({ start: 4_417, end: 8_017 })
    }
    expect(heardFrom(4_480).start).toBe(4_517)
  })

  it('does not begin in the window before', () => {
    expect(heardFrom(4_460, 4_450).start).toBe(4_450)
  })
})

import { describe, expect, it } from 'vitest'
import { makeWindows, quietestPoint } from '../../../../containers/speech/local/make-windows.ts'

const settings = { mergeGap: 100, longest: 1_000, padding: 20 }

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

  it('parts long speech at its longest pauses, wherever the sound begins', () => {
    const stretch = (start: number, end: number) => ({ start, end })
    const speech = [
      ...[stretch(100, 500), stretch(530, 900), stretch(980, 1_300), stretch(1_320, 1_700)],
      ...[stretch(1_790, 2_200), stretch(2_230, 2_500)],
    ]
    const middles = (from: number) =>
      makeWindows(speech.slice(from), settings).map(({ start, end }) => [start + 20, end - 20])
    expect(middles(0)).toEqual([
      [100, 900],
      [980, 1_700],
      [1_790, 2_500],
    ])
    expect(middles(1).slice(1)).toEqual(middles(0).slice(1))
    expect(middles(2)).toEqual(middles(0).slice(1))
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

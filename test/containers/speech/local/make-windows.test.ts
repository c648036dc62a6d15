import { describe, expect, it } from 'vitest'
import { makeWindows, quietest } from '../../../../containers/speech/local/make-windows.ts'

const settings = { mergeGap: 100, padding: 20 }

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

  it('begins with the sound if a voice is heard soon after it', () => {
    const startOf = (start: number) => makeWindows([{ start, end: 500 }], settings)[0]?.start
    expect([0, 30, 40, 90].map(startOf)).toEqual([-20, -20, 20, 70])
  })

  it('has no window where nobody speaks', () => {
    expect(makeWindows([], settings)).toEqual([])
  })
})

it('quietest cuts in the middle of the pause', () => {
  const sound = new Float32Array(2_000).fill(0.5)
  sound.fill(0, 900, 1_101)
  const { at: cut } = quietest(sound, 500, 1_500, 100)
  expect(Math.abs(cut - 1_000)).toBeLessThanOrEqual(10)
})

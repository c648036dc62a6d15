import { describe, expect, it } from 'vitest'
import { struckBy, wordsLeft } from '../../../../worker/app/scripts/new-video/preview/left-words.ts'

const cut = (startTime: number, endTime: number) => ({ startTime, endTime })
const word = (startTime: number, endTime: number) => ({
  ...{ startTime, endTime, text: 'word' },
  ...{ spaced: true, opens: startTime === 0, ends: false },
})

describe('a word of the preview', () => {
  it('is struck out as soon as a cut takes a part of it that can be heard', () => {
    expect(struckBy([cut(0.5, 1.3)])(cut(1, 2))).toBe(true)
    expect(struckBy([cut(1.4, 1.5)])(cut(1, 2))).toBe(true)
    expect(struckBy([])(cut(1, 2))).toBe(false)
  })

  it('stays where a cut reaches no further into it than its times may be off', () => {
    expect(struckBy([cut(0.5, 1.09), cut(1.92, 3)])(cut(1, 2))).toBe(false)
    expect(struckBy([cut(0.5, 1.09)])(cut(1, 1.2))).toBe(true)
  })
})

describe('the words that are left', () => {
  it('move to the times of the finished video, and begin a caption of their own behind a cut', () => {
    const words = [word(0, 0.4), word(0.5, 1), word(3, 3.5), word(3.5, 4)]
    const left = wordsLeft(words, { said: [cut(0.45, 1.05)], pauses: [cut(1.5, 2.9)] })
    const shown = left.map(({ startTime, endTime, opens }) => [
      ...[startTime, endTime].map((seconds) => Math.round(seconds * 100) / 100),
      opens,
    ])
    expect(shown).toEqual([
      [0, 0.4, true],
      [1, 1.5, true],
      [1.5, 2, false],
    ])
  })

  it('keep one that a pause which goes touches', () => {
    const left = wordsLeft([word(1, 1.4)], { said: [], pauses: [cut(1.3, 2)] })
    expect(left).toHaveLength(1)
  })
})

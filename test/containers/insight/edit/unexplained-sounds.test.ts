import { describe, expect, it } from 'vitest'
import {
  fillersAlone,
  unexplainedSounds,
} from '../../../../containers/insight/edit/unexplained-sounds.ts'

/** Sounds as seconds from and to; everything else is nearly silent. */
function levels(sounds: readonly (readonly [number, number])[]): Float32Array {
  return Float32Array.from({ length: 600 }, (_, block) =>
    sounds.some(([from, to]) => block >= from * 100 && block < to * 100) ? 0.01 : 1e-9,
  )
}

const word = (text: string, startTime: number, endTime: number, confidence = 0.9) => ({
  ...{ text, startTime, endTime, confidence },
})

const about = [word('The', 1, 1.5), word('train', 3, 3.5)]

/** With more words, in the order in which they are said. */
const aboutAnd = (...more: ReturnType<typeof word>[]) =>
  [...about, ...more].toSorted((a, b) => a.startTime - b.startTime)

describe('unexplainedSounds', () => {
  it('finds what is heard between two pauses and no word explains', async () => {
    const loudness = levels([
      [1, 1.5],
      [2, 2.4],
      [3, 3.5],
    ])
    expect(await unexplainedSounds(loudness, about)).toEqual([{ from: 200, to: 240 }])
  })

  it('does not believe in a word of which the recogniser is unsure', async () => {
    const loudness = levels([
      [1, 1.5],
      [2, 2.4],
      [3, 3.5],
    ])
    const found = async (text: string, confidence: number) =>
      (await unexplainedSounds(loudness, aboutAnd(word(text, 1.9, 2.5, confidence)))).length
    expect(await found('dunk', 0.3)).toBe(1)
    expect(await found('Ah,', 0.9)).toBe(1)
    expect(await found('but', 0.9)).toBe(0)
    expect(await found('the', 0.3)).toBe(0)
    expect(await found('um', 0.3)).toBe(0)
  })

  it('knows that a word ends before a pause, but not before a short one', async () => {
    const late = [word('lights', 1, 2.4), word('train', 3, 3.5)]
    expect(
      await unexplainedSounds(
        levels([
          [1, 1.8],
          [2, 2.4],
          [3, 3.5],
        ]),
        late,
      ),
    ).toHaveLength(1)
    expect(
      await unexplainedSounds(
        levels([
          [1, 1.88],
          [2, 2.4],
          [3, 3.5],
        ]),
        late,
      ),
    ).toEqual([])
  })

  it.each<[string, readonly (readonly [number, number])[]]>([
    [
      'that is too short',
      [
        [1, 1.5],
        [2, 2.1],
        [3, 3.5],
      ],
    ],
    [
      'that is too long',
      [
        [0.2, 1.5],
        [1.6, 2.9],
        [3, 3.5],
      ],
    ],
    [
      'without a pause beside it',
      [
        [1, 1.5],
        [1.55, 1.95],
        [3, 3.5],
      ],
    ],
    [
      'far from any word',
      [
        [1, 1.5],
        [3, 3.5],
        [5.6, 5.9],
      ],
    ],
  ])('leaves a sound %s', async (_, sounds) => {
    expect(await unexplainedSounds(levels(sounds), about)).toEqual([])
  })

  it('finds nothing in noise, without words and in silence', async () => {
    const noisy = levels([
      [1, 1.5],
      [2, 2.4],
      [3, 3.5],
    ]).map((power) => Math.max(power, 0.003))
    expect(await unexplainedSounds(noisy, about)).toEqual([])
    expect(await unexplainedSounds(levels([[2, 2.4]]), [])).toEqual([])
    expect(await unexplainedSounds(new Float32Array(600), about)).toEqual([])
  })
})

describe('fillersAlone', () => {
  const loudness = levels([
    [1, 1.5],
    [2, 2.15],
    [3, 3.5],
  ])

  it('finds the sound of a filler that is written, also if its times are not exact', async () => {
    const sound = [{ from: 200, to: 215 }]
    expect(await fillersAlone(loudness, aboutAnd(word('um,', 1.9, 2.1)))).toEqual(sound)
    expect(await fillersAlone(loudness, aboutAnd(word('Uh', 2.1, 2.5, 0.2)))).toEqual(sound)
  })

  it('finds none that is joined to a word, or is not heard', async () => {
    const joined = [word('The', 1, 1.3), word('um', 1.3, 1.5), word('train', 3, 3.5)]
    expect(await fillersAlone(loudness, joined)).toEqual([])
    expect(await fillersAlone(loudness, aboutAnd(word('um', 2.3, 2.6)))).toEqual([])
    expect(await fillersAlone(loudness, aboutAnd(word('but', 2, 2.15)))).toEqual([])
  })
})

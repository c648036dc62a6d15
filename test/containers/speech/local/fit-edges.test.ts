import { describe, expect, it } from 'vitest'
import { fitEdges } from '../../../../containers/speech/local/fit-edges.ts'
import type { SampledSound } from '../../../../containers/speech/local/sound-file.ts'

const rate = 16_000
const second = (seconds: number): number => Math.round(seconds * rate)

/** A voice of 200 Hz in these stretches of seconds, and hiss everywhere. */
function soundOf(spoken: readonly (readonly [number, number])[], hiss: number): SampledSound {
  const length = second(4)
  const isSpoken = (at: number) =>
    spoken.some(([from, to]) => at >= second(from) && at < second(to))
  const valueAt = (at: number): number => {
    if (at < 0 || at >= length) return 0
    const noise = hiss * Math.sin(at * at)
    return isSpoken(at) ? noise + 0.3 * Math.sin((2 * Math.PI * 200 * at) / rate) : noise
  }
  return {
    length,
    read: async (from, to) =>
      Promise.resolve(Float32Array.from({ length: to - from }, (_, i) => valueAt(from + i))),
  }
}

const told = (...stretches: readonly (readonly [number, number])[]) =>
  stretches.map(([start, end]) => ({ start: second(start), end: second(end) }))

const settledSeconds = async (sound: SampledSound, stretches: ReturnType<typeof told>) =>
  (await fitEdges(sound, stretches)).map(({ start, end }) => [start / rate, end / rate])

describe('fitEdges', () => {
  const spoken = [
    [1, 1.8],
    [2.3, 3],
  ] as const

  it.each([0, 0.01])(
    'finds the same ends of the same voice from whatever block it was told, with a hiss of %f',
    async (hiss) => {
      const sound = soundOf(spoken, hiss)
      const exact = await settledSeconds(sound, told([1, 1.8], [2.3, 3]))
      for (const late of [-0.03, 0, 0.03, 0.06]) {
        const ends = await settledSeconds(
          sound,
          told([1 + late, 1.8 + late], [2.3 + late, 3 + late]),
        )
        expect(ends).toEqual(exact)
        for (const [i, [from, to]] of spoken.entries()) {
          expect(Math.abs((ends[i]?.[0] ?? 0) - from)).toBeLessThan(0.012)
          expect(Math.abs((ends[i]?.[1] ?? 0) - to)).toBeLessThan(0.012)
        }
      }
    },
  )

  it('goes by what was told if the sound neither rises nor falls there, a moment earlier for a beginning', async () => {
    const sound = soundOf([[0, 4]], 0)
    expect(await settledSeconds(sound, told([1, 3]))).toEqual([[0.94, 3]])
  })

  it('keeps a consonant that a short silence parts from its vowel', async () => {
    const sound = soundOf(
      [
        [1, 1.02],
        [1.05, 1.8],
      ],
      0,
    )
    const [ends] = await settledSeconds(sound, told([1.06, 1.8]))
    expect(Math.abs((ends?.[0] ?? 0) - 1)).toBeLessThan(0.012)
  })

  it('keeps a short quiet word beside a loud one', async () => {
    const loud = soundOf([[1, 1.8]], 0)
    const quiet = soundOf([[1.87, 1.94]], 0)
    const sound: SampledSound = {
      length: loud.length,
      read: async (from, to) => {
        const [one, other] = [await loud.read(from, to), await quiet.read(from, to)]
        return one.map((value, at) => value + (other[at] ?? 0) / 40)
      },
    }
    const ends = await settledSeconds(sound, told([1.02, 1.8], [1.88, 1.945]))
    expect(ends.flat()).toHaveLength(4)
    for (const [i, at] of [1, 1.8, 1.87, 1.94].entries()) {
      expect(Math.abs((ends.flat()[i] ?? 0) - at)).toBeLessThan(0.012)
    }
  })

  it('tells an end as late as a beginning is early', async () => {
    const [[from = 0, to = 0] = []] = await settledSeconds(soundOf([[1, 3]], 0), told([1, 3]))
    expect(to - 3).toBeCloseTo(1 - from, 3)
  })

  it('keeps stretches apart and in order', async () => {
    const sound = soundOf([[1, 3]], 0)
    const ends = await settledSeconds(sound, told([1.02, 1.9], [1.97, 3]))
    expect(ends.flat()).toEqual(ends.flat().toSorted((a, b) => a - b))
  })
})

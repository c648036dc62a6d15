import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeTimes } from '../../../../containers/cuts/mp4/decode-times.ts'

describe('decodeTimes', () => {
  it('are those of showing if nothing is reordered', () => {
    const { at, lastStep } = decodeTimes(Float64Array.of(0, 10, 30), 50)
    expect([...at, lastStep]).toEqual([0, 10, 30, 20])
  })

  it('come before zero as often as pictures are held back', () => {
    const { at, lastStep } = decodeTimes(Float64Array.of(0, 30, 10, 20), 40)
    expect([...at, lastStep]).toEqual([-10, 0, 10, 20, 10])
  })

  it('leave room for the pictures behind the one that is shown last', () => {
    const { at } = decodeTimes(Float64Array.of(1, 2, 5, 4, 3), 7)
    expect([...at.slice(2)]).toEqual([1, 2, 3])
  })

  it('rise, come before the showing, and end with the film', () => {
    const film = fc.record({
      steps: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 40 }),
      swaps: fc.array(fc.nat({ max: 38 }), { maxLength: 30 }),
      rest: fc.integer({ min: 1, max: 9_000 }),
    })
    fc.assert(
      fc.property(film, ({ steps, swaps, rest }) => {
        let time = 0
        const shown = Float64Array.from(steps, (step) => (time += step))
        for (const i of swaps) {
          const [a, b] = [shown[i], shown[i + 1]]
          if (a === undefined || b === undefined) continue
          shown[i] = b
          shown[i + 1] = a
        }
        const { at, lastStep } = decodeTimes(shown, time + rest)
        expect(at.every((decoded, i) => i === 0 || decoded > (at[i - 1] ?? 0))).toBe(true)
        expect(at.every((decoded, i) => decoded <= (shown[i] ?? 0))).toBe(true)
        expect(lastStep).toBeGreaterThan(0)
      }),
    )
  })
})

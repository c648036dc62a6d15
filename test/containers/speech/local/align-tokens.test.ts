import { describe, expect, it } from 'vitest'
import {
  alignTokens,
  type TokenAttention,
} from '../../../../containers/speech/local/align-tokens.ts'

const frames = 40

/** A head that listens to some frames and to nothing else. */
function listening(from: number, to: number): Float32Array {
  return new Float32Array(frames).fill(1 / (to - from), from, to)
}

const startsOf = (attention: readonly TokenAttention[]) =>
  alignTokens(attention, frames).map(({ start }) => start)

const roundedStarts = (attention: readonly TokenAttention[]) =>
  startsOf(attention).map((start) => Math.round(start))

describe('alignTokens', () => {
  it('starts each token where the model listens to it', () => {
    const attention = [[listening(0, 10)], [listening(10, 25)], [listening(25, 40)]]
    expect(roundedStarts(attention)).toEqual([0, 10, 25])
  })

  it('follows the majority of the heads', () => {
    const astray = listening(30, 40)
    const attention = [
      [listening(0, 10), listening(0, 10), astray],
      [listening(10, 25), listening(10, 25), astray],
      [listening(25, 40), listening(25, 40), astray],
    ]
    expect(roundedStarts(attention)).toEqual([0, 10, 25])
  })

  it('moves a start by a part of a frame when what is heard moves by that much', () => {
    /** A head that hears the sound from `late` frames later on. */
    const shifted = (from: number, to: number, late: number): Float32Array =>
      listening(from, to).map((value, at, row) => value * (1 - late) + (row[at - 1] ?? 0) * late)
    const startAfter = (late: number) =>
      startsOf([[shifted(0, 20, late)], [shifted(20, 40, late)]])[1] ?? 0
    const moved = [0.25, 0.5, 0.75].map((late) => startAfter(late) - startAfter(0))
    expect(moved).toEqual(moved.toSorted((a, b) => a - b))
    for (const by of moved) {
      expect(by).toBeGreaterThan(0)
      expect(by).toBeLessThan(1)
    }
  })

  it('says where the model listens most to a token', () => {
    const clearest = listening(0, 25)
    clearest.fill(0.5, 12, 22)
    const [first, second] = alignTokens([[clearest], [listening(25, 40)]], frames)
    expect(first?.peak).toBeGreaterThanOrEqual(0)
    expect(first?.peak).toBeLessThan(25)
    expect(second?.peak).toBeGreaterThanOrEqual(25)
  })

  it('never goes back in time', () => {
    const attention = [[listening(20, 40)], [listening(0, 20)], [listening(10, 30)]]
    const starts = startsOf(attention)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  it('has nothing to align without tokens or frames', () => {
    expect(alignTokens([], frames)).toEqual([])
    expect(alignTokens([[new Float32Array(0)]], 0)).toEqual([])
  })
})

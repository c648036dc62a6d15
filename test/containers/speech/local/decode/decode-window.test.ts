import { describe, expect, it } from 'vitest'
import { piecesOf } from '../../../../../containers/speech/local/decode/decode-window.ts'
import { speechRate } from '../../../../../containers/sound/speech-sound.ts'

/** Somebody who speaks for this long, with pauses of 0.4 s at these seconds, of which no two are equally deep. */
function talk(seconds: number, pauses: readonly number[]): Float32Array {
  return Float32Array.from({ length: seconds * speechRate }, (_, i) => {
    const at = i / speechRate
    const pause = pauses.findIndex((middle) => Math.abs(at - middle) < 0.2)
    return (pause < 0 ? 0.3 : 0.01 + 0.001 * pause) * Math.sin(0.3 * i)
  })
}

async function cutsOf(samples: Float32Array, start: number): Promise<number[]> {
  const read = async (from: number, to: number) => Promise.resolve(samples.slice(from, to))
  const sound = { length: samples.length, read }
  const cuts: number[] = []
  const window = { start, end: samples.length }
  let last = start
  for await (const piece of piecesOf(sound, window, 16 * speechRate)) {
    expect(piece.start).toBe(last)
    expect(piece.end - piece.start).toBeLessThanOrEqual(16 * speechRate)
    last = piece.end
    cuts.push(piece.end)
  }
  expect(cuts.pop()).toBe(samples.length)
  return cuts
}

describe('piecesOf', () => {
  const pauses = [7, 12, 21, 26.5, 33, 41, 48, 57, 63.5, 70, 82, 90]
  const speech = talk(100, pauses)

  it('parts long speech in pauses', async () => {
    for (const cut of await cutsOf(speech, 0)) {
      const off = pauses.map((middle) => Math.abs(cut / speechRate - middle))
      expect(Math.min(...off)).toBeLessThan(0.1)
    }
  })

  it('parts it at the same samples soon behind wherever it begins', async () => {
    const whole = await cutsOf(speech, 0)
    for (const start of [54_321, 300_001, 567_890]) {
      const behind = start + 16 * speechRate
      const later = (cuts: readonly number[]) => cuts.filter((cut) => cut > behind)
      expect(later(await cutsOf(speech, start))).toEqual(later(whole))
    }
  })

  it('leaves alone what is short enough', async () => {
    expect(await cutsOf(speech, 90 * speechRate)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import {
  duckStretches,
  type DuckRequest,
} from '../../../../containers/sound/level/duck-stretches.ts'
import { gainAt } from '../../../../containers/sound/level/lower-sound.ts'
import { powerOf } from '../../../../containers/sound/level/levels.ts'

/** Ten seconds in which somebody speaks at −20 dB over music at −26 dB, unless the test says otherwise. */
function request(changes: Partial<DuckRequest> & { runs?: [number, number][] } = {}): DuckRequest {
  const { runs = [[200, 300]], ...more } = changes
  const spoken = runs.map(([from, to]) => ({ from, to }))
  const loudness = new Float32Array(1_000)
  for (const { from, to } of spoken) loudness.fill(powerOf(-20), from, to)
  const music = { count: 1_000, loudness: new Float32Array(1_000).fill(powerOf(-26)) }
  const rest = { startBlock: 0, voiceGainDb: 0, amountDb: undefined }
  return { voices: { runs: spoken, loudness }, music, ...rest, ...more }
}

describe('duckStretches', () => {
  it('is down a tenth of a second before a word, and as far as speech needs', () => {
    const [stretch, ...more] = duckStretches(request())
    expect(more).toEqual([])
    expect(stretch).toMatchObject({ from: 190, to: 300 })
    // 20 dB below −20.
    expect(stretch?.byDb).toBeCloseTo(14, 3)
  })

  it('goes by the loudest second of the music, and by speech as loud as it will be', () => {
    const music = { count: 1_000, loudness: new Float32Array(1_000).fill(powerOf(-40)) }
    music.loudness.fill(powerOf(-10), 200, 300)
    const [stretch] = duckStretches(request({ runs: [[100, 600]], music, voiceGainDb: 5 }))
    expect(stretch?.byDb).toBeCloseTo(25, 3)
  })

  it('lowers soft music by 6 dB, loud music by 40 at most, and by an amount exactly', () => {
    const at = (db: number) => ({
      count: 1_000,
      loudness: new Float32Array(1_000).fill(powerOf(db)),
    })
    expect(duckStretches(request({ music: at(-60) }))[0]?.byDb).toBe(6)
    expect(duckStretches(request({ music: at(20) }))[0]?.byDb).toBe(40)
    expect(duckStretches(request({ amountDb: 9 }))[0]?.byDb).toBe(9)
  })

  it('stays down between words, and comes back in a longer pause', () => {
    const runs: [number, number][] = [
      [100, 200],
      [290, 400],
      [510, 600],
    ]
    expect(duckStretches(request({ runs }))).toMatchObject([
      { from: 90, to: 400 },
      { from: 500, to: 600 },
    ])
  })

  it('counts from the start of the sound, and leaves out what is spoken before it and after it', () => {
    const runs: [number, number][] = [
      [0, 100],
      [250, 450],
      [800, 900],
    ]
    const music = { count: 200, loudness: new Float32Array(200) }
    expect(duckStretches(request({ runs, music, startBlock: 300 }))).toMatchObject([
      { from: 0, to: 150 },
    ])
  })
})

describe('gainAt', () => {
  const stretch = { from: 48_000, to: 96_000, byDb: 20 }

  it('is down from the first sample to the last, and untouched a quarter of a second away', () => {
    expect([48_000, 72_000, 96_000].map((at) => gainAt(at, stretch))).toEqual([0.1, 0.1, 0.1])
    expect([0, 36_000, 108_000, 200_000].map((at) => gainAt(at, stretch))).toEqual([1, 1, 1, 1])
  })

  it('goes down and comes back without a step', () => {
    for (let at = 30_000; at < 110_000; at += 48) {
      const changeDb = 20 * Math.abs(Math.log10(gainAt(at + 48, stretch) / gainAt(at, stretch)))
      expect(changeDb).toBeLessThan(0.15)
    }
  })
})

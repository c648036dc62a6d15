import { describe, expect, it } from 'vitest'
import { LogMel, melFilters } from '../../../../../containers/speech/local/whisper/log-mel.ts'

const rate = 16_000
const shape = { sampleRate: rate, fftSize: 400, hop: 160, length: 30 * rate }

/** The band, the line of the spectrum, and the weight in the filter matrix that Whisper models are published with. */
const publishedWeights = [
  [0, 1, 0.024862593984176087],
  [1, 2, 0.022871772096078016],
  [33, 33, 0.018177473406255303],
  [79, 190, 0.0022320550527126443],
  [79, 199, 0.0004487590275890477],
] as const

/**
 * Band, frame and value of the sound below: published figures, computed with librosa's `stft` and `filters.mel` and
 * Whisper's logarithm and scale.
 */
const publishedFeatures = [
  [0, 0, 1.0255200862884521],
  [0, 50, -0.5617961883544922],
  [0, 99, 0.36268895864486694],
  [0, 100, 0.8750050663948059],
  [0, 101, 0.36268895864486694],
  [0, 2999, -0.5617961883544922],
  [3, 0, 1.046639084815979],
  [3, 100, 0.8961241245269775],
  [10, 0, 1.345945954322815],
  [10, 50, 1.3487379550933838],
  [10, 99, 1.3496463298797607],
  [10, 100, 1.272093415260315],
  [10, 101, 0.3800355792045593],
  [10, 150, -0.5617961883544922],
  [20, 0, 0.5353192090988159],
  [20, 99, 0.1999397873878479],
  [20, 100, 0.3848041892051697],
  [40, 0, 0.6249067783355713],
  [40, 99, -0.03366267681121826],
  [40, 100, 0.47439175844192505],
  [79, 0, 0.08437436819076538],
  [79, 99, -0.5617961883544922],
  [79, 100, -0.06614065170288086],
] as const

const wave = (hertz: number, n: number): number => Math.sin((2 * Math.PI * hertz * n) / rate)

describe('melFilters', () => {
  it('are those that Whisper models are published with', () => {
    const filters = melFilters({ ...shape, bands: 80 })
    for (const [band, line, weight] of publishedWeights) {
      const { first = 0, weights } = filters[band] ?? {}
      expect(weights?.[line - first]).toBeCloseTo(weight, 12)
    }
    const total = filters.flatMap(({ weights }) => [...weights]).reduce((sum, one) => sum + one, 0)
    expect(total).toBeCloseTo(1.999024102917858, 9)
  })

  it('cover each line with 128 bands too, as the largest models take them', () => {
    const filters = melFilters({ ...shape, bands: 128 })
    expect(filters).toHaveLength(128)
    for (const { weights } of filters) expect(Math.max(...weights)).toBeGreaterThan(0)
  })
})

describe('LogMel', () => {
  it('gives the published values for a second of two tones and 29 of silence', () => {
    const mel = new LogMel({ ...shape, bands: 80 })
    const tones = Float32Array.from(
      { length: rate },
      (_, n) => 0.5 * wave(440, n) + 0.25 * wave(1_000, n),
    )
    const features = mel.of(tones)
    expect(features).toHaveLength(80 * 3_000)
    for (const [band, frame, value] of publishedFeatures) {
      expect(features[band * 3_000 + frame], `${band}, ${frame}`).toBeCloseTo(value, 4)
    }
  })

  it('mirrors the end of a sound that fills the whole window', () => {
    const mel = new LogMel({ ...shape, bands: 80, length: 2 * rate })
    const features = mel.of(Float32Array.from({ length: 2 * rate }, (_, n) => wave(1_000, n)))
    // The tone goes on in the last frame, whose window reaches past the end.
    expect(features[24 * 200 + 199]).toBeCloseTo(features[24 * 200 + 100] ?? 0, 1)
  })

  it('says the same of all bands for digital silence', () => {
    const features = new LogMel({ ...shape, bands: 80 }).of(new Float32Array(rate))
    expect(new Set(features)).toEqual(new Set([-1.5]))
  })
})

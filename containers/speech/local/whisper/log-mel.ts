import { Chirp } from '../../../sound/dsp/chirp.ts'

export type LogMelShape = MelShape & {
  /** Samples from one frame to the next. */
  readonly hop: number
  /** Samples of every input; a shorter sound is followed by silence. */
  readonly length: number
}

/** Digital silence. */
const leastPower = 1e-10
/** Everything is brought to this many powers of ten below the loudest. */
const range = 8

/** The picture of a sound that Whisper was trained on: the loudness of each mel band in each frame. */
export class LogMel {
  readonly frames: number
  readonly bands: number
  readonly #shape: LogMelShape
  readonly #window: Float64Array
  readonly #filters: readonly MelFilter[]
  readonly #chirp: Chirp
  readonly #even: Float64Array
  readonly #odd: Float64Array

  constructor(shape: LogMelShape) {
    const { fftSize } = shape
    this.#shape = shape
    this.frames = Math.floor(shape.length / shape.hop)
    this.bands = shape.bands
    this.#window = Float64Array.from(
      { length: fftSize },
      (_, n) => (1 - Math.cos((2 * Math.PI * n) / fftSize)) / 2,
    )
    this.#filters = melFilters(shape)
    this.#chirp = new Chirp(fftSize)
    this.#even = new Float64Array(fftSize)
    this.#odd = new Float64Array(fftSize)
  }

  /** All frames of the first band, then of the second, and so on. */
  of(samples: Float32Array): Float32Array {
    const { hop, fftSize } = this.#shape
    const logs = new Float32Array(this.bands * this.frames).fill(Math.log10(leastPower))
    // The frames after the sound are silent.
    const heard = Math.min(this.frames, Math.ceil((samples.length + fftSize / 2) / hop))
    for (let frame = 0; frame < heard; frame += 2) {
      // A transform of complex numbers takes two frames of real ones.
      this.#cut(samples, frame * hop, this.#even)
      this.#cut(samples, (frame + 1) * hop, this.#odd)
      this.#chirp.forward(this.#even, this.#odd)
      this.#fill(logs, frame)
    }
    const loudest = logs.reduce((highest, value) => Math.max(highest, value), -Infinity)
    return logs.map((value) => (Math.max(value, loudest - range) + 4) / 4)
  }

  /** The samples around a place, under the window. Before its beginning and after its end the sound is mirrored. */
  #cut(samples: Float32Array, middle: number, into: Float64Array): void {
    const { length } = this.#shape
    const from = middle - into.length / 2
    for (let n = 0; n < into.length; n++) {
      const at = from + n
      const mirrored = at < 0 ? -at : at >= length ? 2 * length - 2 - at : at
      into[n] = (samples[mirrored] ?? 0) * (this.#window[n] ?? 0)
    }
  }

  #fill(logs: Float32Array, frame: number): void {
    this.#unmix()
    const [even, odd] = [this.#even, this.#odd]
    for (const [band, { first, weights }] of this.#filters.entries()) {
      let evenPower = 0
      let oddPower = 0
      for (let i = 0; i < weights.length; i++) {
        const weight = weights[i] ?? 0
        evenPower += weight * (even[first + i] ?? 0)
        oddPower += weight * (odd[first + i] ?? 0)
      }
      const at = band * this.frames + frame
      logs[at] = Math.log10(Math.max(leastPower, evenPower))
      if (frame + 1 < this.frames) logs[at + 1] = Math.log10(Math.max(leastPower, oddPower))
    }
  }

  /** Puts the powers of the two frames, whose spectra the transform has mixed, in the place of their lines. */
  #unmix(): void {
    const [re, im] = [this.#even, this.#odd]
    const { length } = re
    for (let line = 0; line <= length / 2; line++) {
      const mirrored = line === 0 ? 0 : length - line
      const [a, b] = [re[line] ?? 0, im[line] ?? 0]
      const [c, d] = [re[mirrored] ?? 0, im[mirrored] ?? 0]
      re[line] = ((a + c) * (a + c) + (b - d) * (b - d)) / 4
      im[line] = ((a - c) * (a - c) + (b + d) * (b + d)) / 4
    }
  }
}

/** A triangle over the lines of a spectrum: the weights of those from `first` on. */
type MelFilter = { readonly first: number; readonly weights: Float64Array }

type MelShape = {
  readonly sampleRate: number
  readonly fftSize: number
  readonly bands: number
}

/** The scale of Slaney: linear up to 1 kHz, logarithmic above. */
const hertzPerMel = 200 / 3
const logFrom = 1_000
const logFromMel = logFrom / hertzPerMel
const logStep = Math.log(6.4) / 27

function melOf(hertz: number): number {
  return hertz < logFrom ? hertz / hertzPerMel : logFromMel + Math.log(hertz / logFrom) / logStep
}

function hertzOf(mel: number): number {
  return mel < logFromMel ? mel * hertzPerMel : logFrom * Math.exp(logStep * (mel - logFromMel))
}

/** Triangles of equal area, which lie evenly on the mel scale from 0 to half of the sample rate. */
export function melFilters({ sampleRate, fftSize, bands }: MelShape): MelFilter[] {
  const highest = melOf(sampleRate / 2)
  const corner = (i: number): number => hertzOf((highest * i) / (bands + 1))
  const lines = fftSize / 2 + 1
  return Array.from({ length: bands }, (_, band) => {
    const [low, peak, high] = [corner(band), corner(band + 1), corner(band + 2)]
    const weights = Array.from({ length: lines }, (__, line) => {
      const hertz = (line * sampleRate) / fftSize
      const height = Math.min((hertz - low) / (peak - low), (high - hertz) / (high - peak))
      return (Math.max(0, height) * 2) / (high - low)
    })
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    const end = weights.findLastIndex((weight) => weight > 0) + 1
    return { first, weights: Float64Array.from(weights.slice(first, end)) }
  })
}

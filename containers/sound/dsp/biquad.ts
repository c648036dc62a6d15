import { workedRate } from './pcm.ts'

/** A second-order filter of sound at 48 kHz, normalised so that a0 is 1. */
type Biquad = {
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly a1: number
  readonly a2: number
}

/** The two stages of BS.1770's K-weighting. */
export const headFilter: Biquad = {
  b0: 1.53512485958697,
  b1: -2.69169618940638,
  b2: 1.19839281085285,
  a1: -1.69065929318241,
  a2: 0.73248077421585,
}
export const rumbleFilter: Biquad = {
  b0: 1,
  b1: -2,
  b2: 1,
  a1: -1.99004745483398,
  a2: 0.99007225036621,
}

const flattest = Math.SQRT1_2

/** Butterworth, from the audio EQ cookbook. */
export function passBelow(hertz: number): Biquad {
  const { cosine, alpha } = angleOf(hertz)
  const b1 = (1 - cosine) / (1 + alpha)
  const shared = { a1: (-2 * cosine) / (1 + alpha), a2: (1 - alpha) / (1 + alpha) }
  return { b0: b1 / 2, b1, b2: b1 / 2, ...shared }
}

export function passAbove(hertz: number): Biquad {
  const { cosine, alpha } = angleOf(hertz)
  const b1 = -(1 + cosine) / (1 + alpha)
  const shared = { a1: (-2 * cosine) / (1 + alpha), a2: (1 - alpha) / (1 + alpha) }
  return { b0: -b1 / 2, b1, b2: -b1 / 2, ...shared }
}

function angleOf(hertz: number): { cosine: number; alpha: number } {
  const angle = (2 * Math.PI * hertz) / workedRate
  return { cosine: Math.cos(angle), alpha: Math.sin(angle) / (2 * flattest) }
}

/**
 * Filters samples in place and keeps its state between calls. A loop over plain arrays, because an hour of sound has
 * 173 million samples per channel.
 */
export class FilterState {
  readonly #filter: Biquad
  #first = 0
  #second = 0

  constructor(filter: Biquad) {
    this.#filter = filter
  }

  run(samples: Float64Array): void {
    const { b0, b1, b2, a1, a2 } = this.#filter
    let first = this.#first
    let second = this.#second
    for (let i = 0; i < samples.length; i++) {
      const input = samples[i] ?? 0
      const output = b0 * input + first
      first = b1 * input - a1 * output + second
      second = b2 * input - a2 * output
      samples[i] = output
    }
    this.#first = flushTiny(first)
    this.#second = flushTiny(second)
  }
}

/** Processors are a hundred times slower with denormal numbers, which silence is full of. */
function flushTiny(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value
}

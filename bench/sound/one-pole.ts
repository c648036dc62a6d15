import { rate } from './mix.ts'

/** Lets what is under a frequency pass, falling by 6 dB an octave above it. */
export class OnePole {
  #kept = 0

  lowpass(value: number, hertz: number): number {
    this.#kept += (value - this.#kept) * (1 - Math.exp((-2 * Math.PI * hertz) / rate))
    return this.#kept
  }

  highpass(value: number, hertz: number): number {
    return value - this.lowpass(value, hertz)
  }
}

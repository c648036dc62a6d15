import { rate } from './mix.ts'

/** A low-pass filter that falls by 6 dB per octave above its frequency. */
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

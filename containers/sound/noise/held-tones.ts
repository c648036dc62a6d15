import { sampleRate } from '../dsp/pcm.ts'
import { frameSamples } from '../dsp/spectrum.ts'

/** 130 ms at one pitch: voices glide, noise does not hold a peak that long, notes do. */
const heldFrames = 6
const firstBin = Math.round((120 * frameSamples) / sampleRate)
const lastBin = Math.round((5_000 * frameSamples) / sampleRate)

/** Says of each frame how much of it, by amplitude, is tones that have been held for a while: music has them. */
export class HeldTones {
  readonly #ages = new Uint16Array(lastBin + 1)

  shareOf(power: Float64Array): number {
    let whole = 0
    let held = 0
    const amplitude = (bin: number): number => Math.sqrt(power[bin] ?? 0)
    for (let bin = firstBin; bin < lastBin; bin++) {
      whole += amplitude(bin)
      this.#ages[bin] = isPeak(power, bin) ? Math.min(1_000, (this.#ages[bin] ?? 0) + 1) : 0
      if ((this.#ages[bin] ?? 0) < heldFrames) continue
      held += amplitude(bin - 1) + amplitude(bin) + amplitude(bin + 1)
    }
    return whole > 0 ? held / whole : 0
  }
}

function isPeak(power: Float64Array, bin: number): boolean {
  const here = power[bin] ?? 0
  const around = Math.min(power[bin - 2] ?? 0, power[bin + 2] ?? 0)
  return here > (power[bin - 1] ?? 0) && here >= (power[bin + 1] ?? 0) && here > 4 * around
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fourier, hannWindow } from '../dsp/fourier.ts'
import type { SampleSpan } from '../dsp/pcm.ts'
import { speechRate } from '../speech-sound.ts'

/** A quarter of a second: the pitch of a note stays the same for longer than that, that of a syllable does not. */
export const toneFrameSamples = 4_096
export const toneHop = toneFrameSamples / 2
/** The range of tunes. Engines hum below it. */
const [lowest, highest] = [150, 5_000].map((hertz) =>
  Math.round((hertz * toneFrameSamples) / speechRate),
) as [number, number]
/** Tones above this are overtones, which do not lie on the notes of a scale. */
const highestPitch = Math.round((2_000 * toneFrameSamples) / speechRate)
/** A tone has this many times the power around it. Noise may reach that once, but hardly ever twice at one pitch. */
const overNear = 8
const near = 24
const nearStep = 8
/** A still tone was already there in this many frames: half a second in all, longer than any voice in a crowd holds a tone. */
const framesBefore = 2
/** A tone spreads over this many bins on either side. */
const width = 2

const fourier = new Fourier(toneFrameSamples)
const window = hannWindow(toneFrameSamples)

/** Reads samples of the speech sound. */
export type ReadSpeech = (span: SampleSpan) => Promise<Float32Array>

export type Tones = {
  /** The share of the power in tones that stay at one pitch, 0 … 1. It is 0 in the first frames, because it cannot be known yet. */
  readonly stillShare: number
  /** The share of the power in all tones. */
  readonly share: number
  /** The pitches of the tones, in tenths of a semitone from 440 Hz. */
  readonly pitches: readonly number[]
}

/** Finds the tones in a stretch of the speech sound, in frames that begin `toneHop` samples apart. */
export async function tonesIn(read: ReadSpeech, { from, to }: SampleSpan): Promise<Tones[]> {
  const tones: Tones[] = []
  const before: Uint8Array[] = []
  for (let at = from; at + toneFrameSamples <= to; at += toneHop) {
    const powers = powersOf(await read({ from: at, to: at + toneFrameSamples }))
    const peaks = peaksOf(powers)
    const isStill = (bin: number): boolean =>
      before.length === framesBefore && before.every((earlier) => isNear(earlier, bin))
    tones.push({
      stillShare: shareOf(powers, peaks, isStill),
      share: shareOf(powers, peaks, () => true),
      pitches: pitchesOf(powers, peaks),
    })
    before.push(peaks)
    if (before.length > framesBefore) before.shift()
    await nextTurn()
  }
  return tones
}

const isNear = (peaks: Uint8Array, bin: number): boolean =>
  peaks[bin - 1] === 1 || peaks[bin] === 1 || peaks[bin + 1] === 1

function powersOf(samples: Float32Array): Float64Array {
  const real = Float64Array.from(samples, (value, i) => value * (window[i] ?? 0))
  const imaginary = new Float64Array(toneFrameSamples)
  fourier.forward(real, imaginary)
  return Float64Array.from(
    { length: highest + near },
    (_, bin) => (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2,
  )
}

function peaksOf(powers: Float64Array): Uint8Array {
  const peaks = new Uint8Array(powers.length)
  let least = 0
  for (let bin = lowest; bin < highest; bin++) {
    if ((bin - lowest) % nearStep === 0) {
      const around = powers.slice(bin - near, bin + nearStep + near).sort()
      least = overNear * (around[around.length >> 1] ?? 0)
    }
    const power = powers[bin] ?? 0
    const isHighest = power >= (powers[bin - 1] ?? 0) && power >= (powers[bin + 1] ?? 0)
    if (isHighest && power > least) peaks[bin] = 1
  }
  return peaks
}

function shareOf(
  powers: Float64Array,
  peaks: Uint8Array,
  isMeant: (bin: number) => boolean,
): number {
  let [all, tonal] = [0, 0]
  for (let bin = lowest; bin < highest; bin++) {
    all += powers[bin] ?? 0
    if (peaks[bin] !== 1 || !isMeant(bin)) continue
    for (let k = bin - width; k <= bin + width; k++) tonal += powers[k] ?? 0
  }
  return all > 0 ? Math.min(1, tonal / all) : 0
}

function pitchesOf(powers: Float64Array, peaks: Uint8Array): number[] {
  const pitches: number[] = []
  for (let bin = lowest; bin < highestPitch; bin++) {
    if (peaks[bin] !== 1) continue
    const [left, here, right] = [-1, 0, 1].map((k) => Math.log((powers[bin + k] ?? 0) + 1e-30)) as [
      number,
      number,
      number,
    ]
    // The top of a parabola through the three values.
    const offset = (left - right) / (2 * (left - 2 * here + right) || 1)
    const hertz = ((bin + offset) * speechRate) / toneFrameSamples
    pitches.push(Math.round(10 * 12 * Math.log2(hertz / 440)))
  }
  return pitches
}

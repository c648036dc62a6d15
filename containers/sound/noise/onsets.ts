import { workedRate } from '../dsp/pcm.ts'
import { frameSamples, hopSamples } from '../dsp/spectrum.ts'
import { meanOf } from '../../numbers/mean.ts'

/** The range in which notes and beats are told: 120 Hz to 5 kHz. */
export const firstBin = Math.round((120 * frameSamples) / workedRate)
export const lastBin = Math.round((5_000 * frameSamples) / workedRate)
/** A sound that begins after digital silence would count more than every beat. */
const most = 2
const hopsPerSecond = workedRate / hopSamples
/** The range between two beats: syllables follow one another faster. */
const [shortest, longest] = [0.3 * hopsPerSecond, 1.28 * hopsPerSecond]
/** A beat that repeats this often is not an accident. */
const beats = 4
/** In hops, so that the last beat is where it is looked for. */
const periodStep = 0.25

/** Tells for each frame how much begins in it, in all frequencies alike, so that a soft drum is noticed under a voice. */
export class Onsets {
  readonly #before = new Float64Array(lastBin)

  strengthOf(power: Float64Array): number {
    let sum = 0
    for (let bin = firstBin; bin < lastBin; bin++) {
      const level = Math.log((power[bin] ?? 0) + 1e-9)
      sum += Math.max(0, level - (this.#before[bin] ?? 0))
      this.#before[bin] = level
    }
    return Math.min(most, sum / (lastBin - firstBin))
  }
}

/**
 * How regularly sounds begin, 0 … 1: how similar onsets are to those one, two, three and four beats later, at the tempo where
 * they are most similar. Music reaches 0.4 alone and 0.14 when it is 15 dB under a voice; voices and noises stay below 0.09.
 */
export function beatOf(onsets: Float32Array): number {
  const mean = meanOf(onsets)
  const centred = onsets.map((value) => value - mean)
  const power = centred.reduce((sum, value) => sum + value * value, 0) / onsets.length
  const slowest = Math.min(longest, onsets.length / 2 / beats)
  const likeness = Array.from({ length: Math.round(slowest * beats) + 1 }, (_, lag) => {
    let sum = 0
    for (let i = lag; i < centred.length; i++) sum += (centred[i] ?? 0) * (centred[i - lag] ?? 0)
    return sum / (centred.length - lag) / power
  })
  let best = 0
  for (let period = shortest; period <= slowest; period += periodStep) {
    let least = Infinity
    for (let beat = 1; beat <= beats; beat++)
      least = Math.min(least, likeness[Math.round(period * beat)] ?? 0)
    best = Math.max(best, least)
  }
  return best
}

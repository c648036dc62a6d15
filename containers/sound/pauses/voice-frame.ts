import { Fourier, hannWindow } from '../dsp/fourier.ts'
import { decibels } from '../level/levels.ts'
import { speechRate } from '../speech-sound.ts'
import { meanOf } from '../../numbers/mean.ts'

/** The sound of a moment of speech. */
export type VoiceFrame = {
  /** 0 … 1: how much the sound repeats itself. A voiced sound does, noise does not. */
  readonly periodicity: number
  /** How often in a second it repeats itself: the pitch, if it is a voice. */
  readonly hertz: number
  /** The level in each of `bandEdges`, in decibels around their mean. */
  readonly shape: readonly number[]
}

/** In hertz: wide enough to hold a harmonic of a high voice, narrow enough to tell vowels apart. */
const bandEdges = [150, 350, 550, 750, 1_000, 1_250, 1_550, 1_900, 2_300, 2_750, 3_300, 3_900]
/** Levels further below the strongest band say nothing: a telephone or a codec leaves them out. */
const rangeDb = 45

/** A voice repeats itself within these many samples: 64 to 400 times a second. */
const [shortestLag, longestLag] = [speechRate / 400, speechRate / 64]
/** This much of the sound is compared with what follows: two periods of a deep voice. */
const comparedSamples = 400
/** The first repetition is the pitch if it is nearly as exact as the best; later ones are multiples of it. */
const nearlyBest = 0.9

const spectrumSize = 512
/** A frame looks this far to both sides of its moment. */
export const frameReach = Math.ceil((comparedSamples + longestLag) / 2) + longestLag

const fourier = new Fourier(spectrumSize)
const window = hannWindow(spectrumSize)
const bandBins = bandEdges.map((hertz) => Math.round((hertz * spectrumSize) / speechRate))

export function voiceFrame(samples: Float32Array, at: number): VoiceFrame {
  return { ...repetitionAt(samples, at), shape: shapeAt(samples, at) }
}

function repetitionAt(
  samples: Float32Array,
  at: number,
): Pick<VoiceFrame, 'periodicity' | 'hertz'> {
  const likeness: number[] = []
  for (let lag = shortestLag; lag <= longestLag; lag++) {
    const from = at - Math.round((comparedSamples + lag) / 2)
    likeness.push(likenessOf(samples, from, lag))
  }
  const best = Math.max(...likeness)
  const first = likeness.findIndex((value, i) => {
    const isPeak = value >= (likeness[i - 1] ?? 1) && value >= (likeness[i + 1] ?? 1)
    return isPeak && value >= nearlyBest * best
  })
  const lag = shortestLag + (first === -1 ? likeness.indexOf(best) : first)
  return { periodicity: Math.max(0, best), hertz: speechRate / lag }
}

/** The correlation of a stretch with the one that begins `lag` samples later. */
function likenessOf(samples: Float32Array, from: number, lag: number): number {
  let [both, once, again] = [0, 0, 0]
  // Every other sample is enough: the pitch lies far below half of the rate.
  for (let i = from; i < from + comparedSamples; i += 2) {
    const a = samples[i] ?? 0
    const b = samples[i + lag] ?? 0
    both += a * b
    once += a * a
    again += b * b
  }
  return both / Math.sqrt(once * again + Number.EPSILON)
}

function shapeAt(samples: Float32Array, at: number): number[] {
  const from = at - spectrumSize / 2
  const real = Float64Array.from(window, (weight, i) => weight * (samples[from + i] ?? 0))
  const imaginary = new Float64Array(spectrumSize)
  fourier.forward(real, imaginary)
  const levels = bandBins.slice(1).map((end, band) => {
    const begin = bandBins[band] ?? 0
    let power = 0
    for (let bin = begin; bin < end; bin++) {
      power += (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2
    }
    return decibels(power / (end - begin))
  })
  const least = Math.max(...levels) - rangeDb
  const bounded = levels.map((level) => Math.max(level, least))
  const mean = meanOf(bounded)
  return bounded.map((level) => level - mean)
}

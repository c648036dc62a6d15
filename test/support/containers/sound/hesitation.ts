import { rate } from './voices.ts'
import { Random } from '../../../../fuzz/random.ts'

/** The resonances of a mouth, in hertz. */
type Vowel = readonly [number, number, number]

/** Of a man; a woman's are about a sixth higher. */
export const vowels = {
  /** As in “uh”. */
  uh: [620, 1_220, 2_500],
  /** As in “er” where the r is not said. */
  er: [500, 1_500, 2_500],
  ah: [740, 1_180, 2_600],
  ee: [290, 2_250, 2_950],
  oo: [320, 830, 2_350],
} as const satisfies Record<string, Vowel>

export type Hesitation = {
  readonly vowel: Vowel
  readonly hertz: number
  readonly seconds: number
  /** The share at the end in which the mouth is closed, as in “um”. */
  readonly closed?: number
  /** In semitones: how far the pitch falls on the way … */
  readonly fall?: number
  /** … and how far it swings six times a second, as a singer's does. */
  readonly vibrato?: number
  /** 1 for a man, 1.17 for a woman. */
  readonly size?: number
  readonly seed: number
}

/** Makes a held vowel: the pulses of vocal folds, never quite even, through the resonances of a mouth. */
export function hesitate(wish: Hesitation): Float32Array {
  const { vowel, seconds, size = 1, closed = 0 } = wish
  const source = pulses(wish)
  const open = resonate(
    source,
    [...vowel, 3_500, 4_500].map((hertz) => hertz * size),
  )
  const hum = muffled(
    resonate(
      source,
      [260, 1_050, 2_200].map((hertz) => hertz * size),
    ),
  )
  const [openGain, humGain] = [0.1 / rms(open), 0.035 / rms(hum)]
  const closing = (1 - closed) * seconds
  return open.map((value, i) => {
    const at = i / rate
    const share = Math.min(1, Math.max(0, (at - closing) / 0.06))
    const mixed = (1 - share) * value * openGain + share * (hum[i] ?? 0) * humGain
    return mixed * Math.min(1, at / 0.03) * Math.min(1, (seconds - at) / 0.06)
  })
}

function pulses({ hertz, seconds, fall = 1.5, vibrato = 0, seed }: Hesitation): Float32Array {
  const samples = new Float32Array(Math.round(seconds * rate))
  const random = new Random(seed)
  let [phase, first, second] = [1, 0, 0]
  for (let i = 0; i < samples.length; i++) {
    const share = i / samples.length
    const swing = vibrato * Math.sin((2 * Math.PI * 6 * i) / rate)
    phase +=
      (hertz * 2 ** ((swing - fall * share) / 12) * (1 + 0.02 * (random.share() - 0.5))) / rate
    const isPulse = phase >= 1
    if (isPulse) phase -= 1
    // Two poles at 250 Hz, as the folds close softly, and a little breath.
    const pulse = (isPulse ? 0.9 + 0.2 * random.share() : 0) + 0.002 * (random.share() - 0.5)
    first += 0.1 * (pulse - first)
    second += 0.1 * (first - second)
    samples[i] = second
  }
  // The lips let out changes of pressure.
  return samples.map((value, i) => value - (samples[i - 1] ?? 0))
}

function resonate(source: Float32Array, resonances: readonly number[]): Float32Array {
  return resonances.reduce((samples, hertz, i) => resonance(samples, hertz, 60 + 35 * i), source)
}

/** What comes through the nose alone. */
function muffled(samples: Float32Array): Float32Array {
  let [first, second] = [0, 0]
  return samples.map((value) => {
    first += 0.12 * (value - first)
    second += 0.12 * (first - second)
    return second
  })
}

function resonance(samples: Float32Array, hertz: number, width: number): Float32Array {
  const radius = Math.exp((-Math.PI * width) / rate)
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / rate)
  const gain = 1 - turn + radius ** 2
  let [before, earlier] = [0, 0]
  return samples.map((value) => {
    const now = gain * value + turn * before - radius ** 2 * earlier
    earlier = before
    before = now
    return now
  })
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length) + 1e-12
}

import { workedRate } from '../dsp/pcm.ts'
import { binCount, FrameCutter, hopSamples, Spectrum } from '../dsp/spectrum.ts'
import { Stretches } from './stretches.ts'

/** A quarter of a second in frames: within two seconds even a hurried speaker draws breath for that long. */
const quietFrames = 10
/** This many stretches on either side are considered too: nobody may speak there, so that the noise is heard better. */
const reach = 4
/** A stretch at most this many times as loud as the quietest one nearby has the same noise. */
const sameNoise = 1.25
/** In a stretch with hardly a pause, a moment more than this many times as loud as its quietest ones is the end of a word. */
const sameMoment = 1.5
/** Sound that begins, ends or is interrupted has moments quieter than its noise: this many are skipped to find the noise's. */
const outliers = 2

const firstBin = Math.round((150 * 2 * hopSamples) / workedRate)
const lastBin = Math.round((8_000 * 2 * hopSamples) / workedRate)

type Moment = { readonly level: number; readonly power: Float32Array }
type NoiseStretch = Moment & { readonly clip: number }

/** The power of the noise at each frequency, for every frame of a recording. */
export type NoiseProfile = { powerAt(frame: number): Float32Array }

/** Learns the noise from the quietest moments. It hears the whole recording before anything is changed. */
export class NoiseListener {
  readonly #cutter = new FrameCutter()
  readonly #spectrum = new Spectrum()
  readonly #stretches: NoiseStretch[] = []
  readonly #stretchOfFrame: number[] = []
  readonly #counted: Stretches
  #quietest: Moment[] = []

  constructor(clipEnds: readonly number[]) {
    this.#counted = new Stretches(clipEnds)
  }

  push(samples: Float32Array): void {
    this.#cutter.push(samples, (frame) => this.#hear(frame))
  }

  finish(): NoiseProfile {
    this.#endStretch()
    const stretches = this.#stretches
    const stretchOfFrame = this.#stretchOfFrame
    // Computed when a frame asks for it. Computing all profiles at once would block the thread.
    let current = { stretch: -1, power: profileNear([], 0) }
    return {
      powerAt(frame) {
        const stretch = stretchOfFrame[Math.min(frame, stretchOfFrame.length - 1)] ?? 0
        if (stretch !== current.stretch) {
          current = { stretch, power: profileNear(stretches, stretch) }
        }
        return current.power
      },
    }
  }

  #hear(frame: Float32Array): void {
    this.#counted.next(() => this.#endStretch())
    this.#spectrum.analyse(frame)
    const level = levelOf(this.#spectrum.power)
    const isFull = this.#quietest.length === quietFrames
    // Digital silence is not noise: an editor put it there.
    if (level > 1e-5 && (!isFull || level < (this.#quietest.at(-1)?.level ?? 0))) {
      if (isFull) this.#quietest.pop()
      this.#quietest.push({ level, power: Float32Array.from(this.#spectrum.power) })
      this.#quietest.sort((a, b) => a.level - b.level)
    }
    this.#stretchOfFrame.push(this.#stretches.length)
  }

  #endStretch(): void {
    const most =
      (this.#quietest[Math.min(outliers, this.#quietest.length - 1)]?.level ?? 0) * sameMoment
    const same = this.#quietest.filter(({ level }) => level <= most)
    this.#stretches.push({ ...meanOf(same), clip: this.#counted.clip })
    this.#quietest = []
  }
}

/** The mean amplitude rather than the power, so that no single frequency decides. */
function levelOf(power: Float64Array): number {
  let sum = 0
  for (let bin = firstBin; bin <= lastBin; bin++) sum += Math.sqrt(power[bin] ?? 0)
  return sum / (lastBin - firstBin + 1)
}

function meanOf(stretches: readonly Moment[]): Moment {
  const power = new Float32Array(binCount)
  const count = Math.max(1, stretches.length)
  for (const stretch of stretches) {
    for (let bin = 0; bin < binCount; bin++) {
      power[bin] = (power[bin] ?? 0) + (stretch.power[bin] ?? 0) / count
    }
  }
  return { level: stretches.reduce((sum, { level }) => sum + level, 0) / count, power }
}

function profileNear(stretches: readonly NoiseStretch[], at: number): Float32Array {
  const near = stretches
    .slice(Math.max(0, at - reach), at + reach + 1)
    .filter(({ level, clip }) => level > 0 && clip === stretches[at]?.clip)
  const lowest = Math.min(...near.map(({ level }) => level))
  return meanOf(near.filter(({ level }) => level <= lowest * sameNoise)).power
}

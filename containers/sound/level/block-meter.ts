import { FilterState, headFilter, passAbove, passBelow, rumbleFilter } from '../dsp/biquad.ts'
import { channels, workedRate } from '../dsp/pcm.ts'

/** 10 ms: fine enough for pauses, and forty of them make a block of BS.1770. */
export const blockSamples = 480
export const blocksPerSecond = workedRate / blockSamples

/** Measurements of every 10 ms of sound. Powers are mean squares. */
export type SoundBlocks = {
  readonly count: number
  /** K-weighted and summed over the channels, as loudness needs it. */
  readonly loudness: Float32Array
  /** Highest sample. */
  readonly peak: Float32Array
  /** Power in the bands of the voice's pitch, of vowels and of sibilants. */
  readonly low: Float32Array
  readonly middle: Float32Array
  readonly high: Float32Array
}

type MeterRow = { loudness: number; peak: number; low: number; middle: number; high: number }
export const blockColumns = [
  'loudness',
  'peak',
  'low',
  'middle',
  'high',
] as const satisfies (keyof MeterRow)[]

/** Measures interleaved stereo in pieces of any length. */
export class BlockMeter {
  readonly #pending = new Float32Array(blockSamples * channels)
  #pendingLength = 0
  #rows = emptyRows(6_000)
  #count = 0
  readonly #left = new Float64Array(blockSamples)
  readonly #right = new Float64Array(blockSamples)
  readonly #mid = new Float64Array(blockSamples)
  readonly #weighting = [weighting(), weighting()]
  readonly #lowBand = [passAbove(150), passBelow(800)].map(started)
  readonly #middleBand = [passAbove(800), passBelow(3_500)].map(started)
  readonly #highBand = [passAbove(3_500), passBelow(9_000)].map(started)

  push(samples: Float32Array): void {
    let read = 0
    while (read < samples.length) {
      const taken = Math.min(this.#pending.length - this.#pendingLength, samples.length - read)
      this.#pending.set(samples.subarray(read, read + taken), this.#pendingLength)
      this.#pendingLength += taken
      read += taken
      if (this.#pendingLength === this.#pending.length) this.#measure()
    }
  }

  /** Returns all measurements; pads the last block with silence. */
  finish(): SoundBlocks {
    if (this.#pendingLength > 0) {
      this.#pending.fill(0, this.#pendingLength)
      this.#measure()
    }
    return { count: this.#count, ...this.#rows }
  }

  #measure(): void {
    this.#pendingLength = 0
    const peak = this.#separate()
    const low = bandPower(this.#lowBand, Float64Array.from(this.#mid))
    const middle = bandPower(this.#middleBand, Float64Array.from(this.#mid))
    const high = bandPower(this.#highBand, this.#mid)
    const [left = [], right = []] = this.#weighting
    const loudness = bandPower(left, this.#left) + bandPower(right, this.#right)
    this.#add({ loudness, peak, low, middle, high })
  }

  #separate(): number {
    let peak = 0
    for (let i = 0; i < blockSamples; i++) {
      const left = this.#pending[2 * i] ?? 0
      const right = this.#pending[2 * i + 1] ?? 0
      this.#left[i] = left
      this.#right[i] = right
      this.#mid[i] = (left + right) / 2
      peak = Math.max(peak, Math.abs(left), Math.abs(right))
    }
    return peak
  }

  #add(row: MeterRow): void {
    if (this.#count === this.#rows.peak.length) this.#rows = grown(this.#rows)
    for (const column of blockColumns) this.#rows[column][this.#count] = row[column]
    this.#count += 1
  }
}

function started(filter: ConstructorParameters<typeof FilterState>[0]): FilterState {
  return new FilterState(filter)
}

function weighting(): FilterState[] {
  return [headFilter, rumbleFilter].map(started)
}

/** The mean square after the filters, which change the samples in place. */
function bandPower(filters: readonly FilterState[], samples: Float64Array): number {
  for (const filter of filters) filter.run(samples)
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += (samples[i] ?? 0) ** 2
  return sum / samples.length
}

type Rows = Record<keyof MeterRow, Float32Array>

export function emptyRows(length: number): Rows {
  const column = (): Float32Array => new Float32Array(length)
  return { loudness: column(), peak: column(), low: column(), middle: column(), high: column() }
}

function grown(rows: Rows): Rows {
  const larger = emptyRows(rows.peak.length * 2)
  for (const name of blockColumns) larger[name].set(rows[name])
  return larger
}

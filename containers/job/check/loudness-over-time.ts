import { soundRate } from './look-at-film.ts'
import { meanOf } from '../../numbers/mean.ts'

/** Bytes of a moment: two sides of 16 bits each. */
export const bytesPerMoment = 4

/** Levels in decibels below full scale, of 10 ms each. */
export type Levels = Float64Array
export const levelsPerSecond = 100
const quietest = -90

/** The level of samples with this mean square, in decibels below full scale. */
export function decibelsOf(meanSquare: number): number {
  return 10 * Math.log10(meanSquare / 32_768 ** 2 + 1e-10)
}

/** The samples of both channels, interleaved. */
export function samplesIn(bytes: Buffer): Int16Array {
  const count = Math.floor(bytes.length / bytesPerMoment) * 2
  const isAligned = bytes.byteOffset % 2 === 0
  const { buffer, byteOffset } = isAligned ? bytes : Buffer.from(bytes)
  return new Int16Array(buffer, byteOffset, count)
}

/** The levels of both channels together. */
export function levelsOf(bytes: Buffer): Levels {
  const samples = samplesIn(bytes)
  const block = (2 * soundRate) / levelsPerSecond
  const levels = new Float64Array(Math.floor(samples.length / block))
  for (let i = 0, k = 0; i < levels.length; i++) {
    let sum = 0
    for (const end = k + block; k < end; k++) {
      const value = samples[k] ?? 0
      sum += value * value
    }
    levels[i] = Math.max(quietest, decibelsOf(sum / block))
  }
  return levels
}

/** The levels of differences between neighbouring samples, which are small in speech and music. */
export function sharpLevelsOf(bytes: Buffer): Levels {
  const samples = samplesIn(bytes)
  const block = (2 * soundRate) / levelsPerSecond
  const count = Math.floor(samples.length / block)
  return Float64Array.from({ length: count }, (_, i) => {
    let sum = 0
    for (let k = i * block; k < (i + 1) * block; k++) {
      sum += ((samples[k] ?? 0) - 2 * (samples[k - 2] ?? 0) + (samples[k - 4] ?? 0)) ** 2
    }
    return Math.max(quietest, decibelsOf(sum / 16 / block))
  })
}

/** The same levels at another speed. */
export function levelsAt(levels: Levels, speed: number): Levels {
  if (speed === 1) return levels
  const length = Math.floor(levels.length / speed)
  return Float64Array.from({ length }, (_, i) => levels[Math.floor(i * speed)] ?? quietest)
}

/** The level of the whole sound. */
export function meanLevel(levels: Levels): number {
  const power = levels.reduce((sum, level) => sum + 10 ** (level / 10), 0)
  return Math.max(quietest, 10 * Math.log10(power / Math.max(1, levels.length) + 1e-10))
}

const silentBelow = -65
const heardAbove = -45
const leastSilence = 40
/** At both ends of a silence, a fade or a codec may make a difference. */
const edge = 8

/** The longest stretch, in indexes of the levels, that is silent although most of what is due there can be heard. */
export function missingSound(
  made: Levels,
  wanted: Levels,
  isExcluded: (place: number) => boolean,
): { from: number; to: number } | undefined {
  let best: { from: number; to: number } | undefined
  let from = 0
  const length = Math.min(made.length, wanted.length)
  for (let i = 0; i <= length; i++) {
    const isSilent = i < length && (made[i] ?? 0) < silentBelow && !isExcluded(i)
    if (isSilent) continue
    const inner = wanted.subarray(from + edge, Math.max(from + edge, i - edge))
    const loud = inner.reduce((sum, level) => sum + (level > heardAbove ? 1 : 0), 0)
    const isMissing = i - from >= leastSilence && loud > inner.length * 0.7
    if (isMissing && (!best || i - from > best.to - best.from)) best = { from, to: i }
    from = i + 1
  }
  return best
}

/** Gaps that are shorter than a silence but clearly audible. */
const gap = { least: 4, around: 3, together: 16 } as const

/** The first of many short gaps, as an index of the levels, in which nothing remains of an audible sound. */
export function firstGap(
  made: Levels,
  wanted: Levels,
  isExcluded: (place: number) => boolean,
): number | undefined {
  const length = Math.min(made.length, wanted.length)
  let [first, together, from] = [-1, 0, 0]
  for (let i = 0; i <= length; i++) {
    const isSilent = i < length && (made[i] ?? 0) < silentBelow && !isExcluded(i)
    if (isSilent) continue
    const about = wanted.subarray(Math.max(0, from - gap.around), i + gap.around)
    // The pauses of a sound that is a little late or early lie beside those of the sound it is compared with.
    const isGap = i - from >= gap.least && about.every((level) => level > heardAbove)
    if (isGap && first < 0) first = from
    if (isGap) together += i - from
    from = i + 1
  }
  return together >= gap.together ? first : undefined
}

function nearest(level: number, others: Levels): number {
  return others.reduce((best, one) => (Math.abs(one - level) < Math.abs(best - level) ? one : best))
}

const leastSpread = 6
const leastSlope = 0.65

/**
 * Whether quiet parts are louder in relation to loud ones: another sound lies under them, or the sound was compressed.
 * Other checks report parts that are silent in one of the two. `around`: by how many levels a moment may come early or late.
 */
export function isFlattened(made: Levels, wanted: Levels, around = 0): boolean {
  const heard = Array.from(wanted.subarray(0, made.length), (level, i) => [
    level,
    nearest(level, made.subarray(Math.max(0, i - around), i + around + 1)),
  ])
    .filter(([was = 0, is = 0]) => was > floor && is > silentBelow)
    .map(([was = 0, is = 0]) => [was, Math.max(floor, is)] as const)
  const [a, b] = [0, 1].map((side) => Float64Array.from(heard, (both) => both[side] ?? 0))
  if (!a || !b || heard.length < levelsPerSecond || spreadOf(a) < leastSpread) return false
  const [meanA, meanB] = [a, b].map(meanOf)
  let [together, own] = [0, 0]
  for (const [was, is] of heard) {
    together += (was - (meanA ?? 0)) * (is - (meanB ?? 0))
    own += (was - (meanA ?? 0)) ** 2
  }
  return together < leastSlope * own
}

type LevelLag = {
  readonly seconds: number
  readonly isClear: boolean
  /** Whether the levels correlate at no lag at all. */
  readonly isOther: boolean
}

const floor = -60
const mostLag = 100
/** Two sounds whose levels correlate this well are the same sound. */
const sameSound = 0.85
/** Limits for two sounds that have nothing in common; the levels of a steady sound cannot be compared. */
const otherSound = { likeness: 0.35, leastSpread: 6, leastLevels: 3 * levelsPerSecond } as const
/** A sound that repeats itself fits nearly as well at other places. */
const clearlyBetter = 0.15
/** The levels of a hum repeat themselves. */
const hardlyBetter = 0.05
const besideLags = 5

/** How much later the made sound has what the wanted one has, between two indexes of the levels. */
export function lagBetween(made: Levels, wanted: Levels, from: number, to: number): LevelLag {
  const zero = likeness(made, wanted, { from, to, lag: 0 })
  // No other lag can fit clearly better.
  if (zero > 1 - clearlyBetter) return { seconds: 0, isClear: false, isOther: false }
  const fits = Array.from({ length: 2 * mostLag + 1 }, (_, i) => {
    const lag = i - mostLag
    return { lag, fit: likeness(made, wanted, { from, to, lag }) }
  })
  const best = fits.reduce((most, one) => (one.fit > most.fit ? one : most), { lag: 0, fit: zero })
  const elsewhere = fits.filter(({ lag }) => Math.abs(lag - best.lag) > besideLags)
  const isOnly = elsewhere.every(({ fit }) => best.fit - fit > hardlyBetter)
  const isClear = isOnly && best.fit > sameSound && best.fit - zero > clearlyBetter
  const isLong = to - from >= otherSound.leastLevels
  const isOther =
    isLong &&
    best.fit < otherSound.likeness &&
    spreadOf(wanted.subarray(from, to)) > otherSound.leastSpread
  return { seconds: best.lag / levelsPerSecond, isClear, isOther }
}

function spreadOf(levels: Levels): number {
  const heard = levels.map((level) => Math.max(floor, level))
  const mean = meanOf(heard)
  return Math.sqrt(meanOf(heard.map((level) => (level - mean) ** 2)))
}

function likeness(
  made: Levels,
  wanted: Levels,
  { from, to, lag }: { from: number; to: number; lag: number },
): number {
  const first = Math.max(from, -lag, 0)
  const end = Math.min(to, wanted.length, made.length - lag)
  const count = end - first
  if (count < levelsPerSecond) return 0
  let [sumA, sumB, aa, bb, ab] = [0, 0, 0, 0, 0]
  for (let i = first; i < end; i++) {
    const a = Math.max(floor, wanted[i] ?? floor)
    const b = Math.max(floor, made[i + lag] ?? floor)
    sumA += a
    sumB += b
    aa += a * a
    bb += b * b
    ab += a * b
  }
  const spread = Math.sqrt((aa - sumA ** 2 / count) * (bb - sumB ** 2 / count))
  return spread > 1e-6 ? (ab - (sumA * sumB) / count) / spread : 0
}

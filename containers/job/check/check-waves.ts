import type { Check } from '../../../worker/contract/job/check.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { say, failedAt } from './check-tables.ts'
import { soundRate } from './look-at-film.ts'
import { levelsPerSecond, samplesIn, sharpLevelsOf, decibelsOf } from './loudness-over-time.ts'

/** At a higher rate, a sound that is late by a fraction of a sample no longer matches. */
const waveRate = 4_000
const step = soundRate / waveRate
/** How much of a sound is compared at once. */
const blockSeconds = 0.5
const block = blockSeconds * waveRate
/** The most that encoders add before a sound and that some programs do not remove. */
const mostLag = 0.05 * waveRate
/** Decibels below full scale: a quieter block proves nothing. */
const leastHeard = -50

/** A sound that is encoded with few bits keeps less of its waves. */
const limits = { usual: { fit: 0.9, off: 2.5 }, few: { fit: 0.6, off: 5 } } as const
type Limit = (typeof limits)[keyof typeof limits]
const leastBlocks = 2
/** A block that fits this well at another moment is too early or too late. */
const moved = { fit: 0.85, seconds: 1, least: 0.04 } as const

/** Lags at which one block fits about as well as at the best. */
const alikeFit = 0.02
/** This many blocks decide whether another lag suits all of them. */
const mostTried = 20

/** A block that fits this well is not searched for at other moments. */
const inTime = 0.98

/** The silence before and behind a sound: as long as it may be moved. */
const around = moved.seconds * waveRate

/** Both sides of each moment in turns, with the silence around them. */
type Wave = Float64Array

/** How far around a moment the samples tell what lies between two of them. */
const reach = 8

/** What each sample around a moment adds to it; `shift`: how many samples later the sound is taken. */
function weightsAt(shift: number): { offset: number; weight: number }[] {
  return Array.from({ length: 2 * reach + step }, (_, i) => {
    const offset = i - reach
    const between = Array.from({ length: step }, (_, k) => weightBetween(offset - k - shift))
    return { offset, weight: between.reduce((sum, one) => sum + one, 0) / step }
  }).filter(({ weight }) => Math.abs(weight) > 1e-9)
}

function weightBetween(distance: number): number {
  if (distance === 0) return 1
  if (Math.abs(distance) >= reach) return 0
  const x = Math.PI * distance
  return (Math.sin(x) / x) * Math.cos(x / 2 / reach) ** 2
}

function waveOf(samples: Int16Array, shift = 0): Wave {
  const count = Math.floor(samples.length / 2 / step)
  const wave = new Float64Array(2 * (count + 2 * around + 1))
  const weights = weightsAt(shift)
  for (let i = 0; i < count; i++) {
    let left = 0
    let right = 0
    for (const { offset, weight } of weights) {
      const at = 2 * (i * step + offset)
      left += weight * (samples[at] ?? 0)
      right += weight * (samples[at + 1] ?? 0)
    }
    wave[2 * (around + i)] = left
    wave[2 * (around + i) + 1] = right
  }
  return wave
}

function blocksIn(wave: Wave): number {
  return Math.floor((wave.length / 2 - 2 * around - 1) / block)
}

/** The correlation of two waves over one block: that of `due` from `from` on, and that of `made` later by `lag`. */
function togetherAt(made: Wave, due: Wave, from: number, lag: number): number {
  const begin = 2 * (around + from)
  let sum = 0
  for (let i = begin, k = begin + 2 * lag; i < begin + 2 * block; i++, k++) {
    sum += (made[k] ?? 0) * (due[i] ?? 0)
  }
  return sum
}

function energyAt(wave: Wave, from: number): number {
  const begin = 2 * (around + from)
  let sum = 0
  for (let i = begin; i < begin + 2 * block; i++) {
    const value = wave[i] ?? 0
    sum += value * value
  }
  return sum
}

function fitOf(together: number, made: number, due: number): number {
  return together / Math.max(1, Math.sqrt(made * due))
}

function fitAt(made: Wave, due: Wave, from: number, lag: number): number {
  return fitOf(togetherAt(made, due, from, lag), energyAt(made, from + lag), energyAt(due, from))
}

function levelOf(energy: number): number {
  return decibelsOf(energy / (2 * block))
}

type Lag = { readonly lag: number; readonly fit: number }

/** How well a block fits at each lag in a range. */
function fitsAround(made: Wave, due: Wave, from: number, most: number): Lag[] {
  const wanted = energyAt(due, from)
  const energyOf = (moment: number): number => {
    const at = 2 * (around + moment)
    return (made[at] ?? 0) ** 2 + (made[at + 1] ?? 0) ** 2
  }
  let energy = energyAt(made, from - most)
  const fits: Lag[] = []
  for (let lag = -most; lag <= most; lag++) {
    fits.push({ lag, fit: fitOf(togetherAt(made, due, from, lag), energy, wanted) })
    energy += energyOf(from + lag + block) - energyOf(from + lag)
  }
  return fits
}

const bestOf = (lags: readonly Lag[]): Lag =>
  lags.reduce((best, one) => (one.fit > best.fit ? one : best), { lag: 0, fit: -1 })

type BlockSeen = { readonly from: number; readonly fit: number; readonly off: number }

/**
 * Files tell in thousandths of a second when their sound begins. That moves a high tone by more than half of its wave,
 * so the sound is tried between two of its samples as well.
 */
const shifts = [-1, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1]

/** The shift at which one block fits best, at a lag that is known. */
function shiftOf(made: Int16Array, due: Wave, from: number, lag: number): number {
  const begin = Math.max(0, from + lag - reach)
  const part = made.subarray(2 * step * begin, 2 * step * (from + lag + block + reach))
  const tried = shifts.map((shift) => ({
    shift,
    fit: fitAt(waveOf(part, shift), due, from, lag - begin),
  }))
  return tried.reduce((best, one) => (one.fit > best.fit ? one : best)).shift
}

/** Both waves, and how well they fit at each lag if they are not in time. */
function besideEachOther(made: Buffer, due: Buffer) {
  const samples = samplesIn(made)
  const [is, was] = [waveOf(samples), waveOf(samplesIn(due))]
  const begins = Array.from({ length: Math.min(blocksIn(is), blocksIn(was)) }, (_, i) => i * block)
  const together = { is, was, begins, lags: [] as readonly Lag[] }
  const loudest = begins
    .map((from) => ({ from, energy: energyAt(was, from) }))
    .toSorted((a, b) => b.energy - a.energy)[begins.length >> 3]?.from
  if (loudest === undefined || fitAt(is, was, loudest, 0) >= inTime) return together
  const lags = fitsAround(is, was, loudest, mostLag)
  const { lag, fit } = bestOf(lags)
  if (fit >= inTime) return { ...together, lags }
  const shifted = waveOf(samples, shiftOf(samples, was, loudest, lag))
  if (fitAt(shifted, was, loudest, lag) <= fit) return { ...together, lags }
  return { ...together, is: shifted, lags: fitsAround(shifted, was, loudest, mostLag) }
}

/** For each half second in which something should be heard: how well it fits what is due, and how much louder it is. */
function compareWaves(made: Buffer, due: Buffer, { fit: least, off: most }: Limit) {
  const { is, was, begins, lags } = besideEachOther(made, due)
  const usual = bestOf(lags)
  const lag = usual.fit > moved.fit ? usual.lag : 0
  const seeAt = (from: number, lag: number): BlockSeen => {
    const [level, wanted] = [levelOf(energyAt(is, from + lag)), levelOf(energyAt(was, from))]
    if (Math.max(level, wanted) <= leastHeard) return { from, fit: 1, off: 0 }
    const fit = fitAt(is, was, from, lag)
    const near = (by: number): number => fitAt(is, was, from, lag + by)
    const best = fit < least ? Math.max(fit, near(-1), near(1)) : fit
    return { from, fit: best, off: level - wanted }
  }
  const wrongIn = (seen: readonly BlockSeen[]): number =>
    seen.filter(({ fit, off }) => fit < least || Math.abs(off) > most).length
  // The loudest block may be the first one, of which an encoder may lose the beginning.
  const [best = []] = [...new Set([lag, 0])]
    .map((one) => begins.map((from) => seeAt(from, one)))
    .toSorted((one, other) => wrongIn(one) - wrongIn(other))
  const odd = best.filter(({ fit }) => fit < least).slice(0, mostTried)
  // A tone fits as well a few of its periods earlier or later: where it begins and ends decides which lag it has.
  const other = lags.find(
    (one) =>
      odd.length >= leastBlocks &&
      one.fit > usual.fit - alikeFit &&
      odd.every(({ from }) => seeAt(from, one.lag).fit >= least),
  )
  return {
    seen: other ? begins.map((from) => seeAt(from, other.lag)) : best,
    lagAt: (from: number) => bestOf(fitsAround(is, was, from, around)),
  }
}

/** Blocks that follow each other. */
type BlockRow = readonly BlockSeen[]

/** Whether the sound is that of the plan, wave by wave. */
export function checkWaves(
  made: Buffer,
  due: Buffer,
  bits: keyof typeof limits,
): Check | undefined {
  const { fit: least, off: most } = limits[bits]
  const { seen, lagAt } = compareWaves(made, due, limits[bits])
  const other = longestRun(seen, ({ fit }) => fit < least)
  if (other) {
    const middle = other[other.length >> 1]
    const { lag, fit } = lagAt(middle?.from ?? 0)
    const late = lag / waveRate
    const isMoved = fit > moved.fit && Math.abs(late) > moved.least
    const how = `${say(Math.abs(late))} s too ${late > 0 ? 'late' : 'early'}`
    return told(
      'sync',
      other,
      isMoved ? `Its sound is ${how}` : 'It has another sound than was planned',
    )
  }
  const off = longestRun(seen, (one) => Math.abs(one.off) > most)
  const first = off?.[0]
  if (!off || !first) return crackleIn(made, due)
  const how = `${say(Math.abs(first.off))} dB ${first.off > 0 ? 'louder' : 'quieter'}`
  return told('loudness', off, `It is ${how} than was planned`)
}

/** Decibels, and how far around a moment encoders spread a sharp sound. */
const crackle = { least: -45, louder: 12, around: 8, louderThanAround: 3 } as const

/** A moment that is sharper than what is due then, and than anything due around it. */
function crackleIn(made: Buffer, due: Buffer): Check | undefined {
  const [is, was] = [sharpLevelsOf(made), sharpLevelsOf(due)]
  const isAbove = (i: number, around: number, most: number): boolean =>
    (is[i] ?? 0) > Math.max(...was.subarray(i - around, i + around + 1)) + most
  for (let i = crackle.around; i < Math.min(is.length, was.length) - crackle.around; i++) {
    if ((is[i] ?? 0) < crackle.least || !isAbove(i, 1, crackle.louder)) continue
    if (!isAbove(i, crackle.around, crackle.louderThanAround)) continue
    const at = thousandths(i / levelsPerSecond)
    return failedAt('sync', `There is a crackle in its sound at ${say(at)} s.`, at)
  }
  return undefined
}

function longestRun(
  seen: readonly BlockSeen[],
  isOdd: (one: BlockSeen) => boolean,
): BlockRow | undefined {
  let longest: BlockRow = []
  let from = 0
  for (let to = 0; to <= seen.length; to++) {
    const one = seen[to]
    if (one && isOdd(one)) continue
    if (to - from > longest.length) longest = seen.slice(from, to)
    from = to + 1
  }
  return longest.length >= leastBlocks ? longest : undefined
}

function told(name: Check['name'], blocks: BlockRow, what: string): Check {
  const from = thousandths((blocks[0]?.from ?? 0) / waveRate)
  const to = thousandths(from + blocks.length * blockSeconds)
  return failedAt(name, `${what}, from ${say(from)} to ${say(to)} s.`, from, to)
}

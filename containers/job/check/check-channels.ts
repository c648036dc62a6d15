import type { Check } from '../../../worker/contract/job/check.ts'
import { failed, passed, say } from './check-tables.ts'
import { soundRate } from './look-at-film.ts'
import { samplesIn } from './loudness-over-time.ts'

/** The energy of both sides of two sounds, and how far they go together. */
type Sides = {
  readonly made: { left: number; right: number; together: number }
  readonly wanted: { left: number; right: number; together: number }
  /** Each side with the same side of the other sound, and with the other side of it. */
  readonly same: { left: number; right: number }
  readonly crossed: number
}

function sidesOf(made: Int16Array, wanted: Int16Array): Sides {
  const is = { left: 0, right: 0, together: 0 }
  const was = { left: 0, right: 0, together: 0 }
  const same = { left: 0, right: 0 }
  let crossed = 0
  const length = Math.min(made.length, wanted.length)
  for (let i = 0; i + 1 < length; i += 2) {
    const [a, b] = [made[i] ?? 0, made[i + 1] ?? 0]
    const [c, d] = [wanted[i] ?? 0, wanted[i + 1] ?? 0]
    is.left += a * a
    is.right += b * b
    is.together += a * b
    was.left += c * c
    was.right += d * d
    was.together += c * d
    same.left += a * c
    same.right += b * d
    crossed += a * d + b * c
  }
  return { made: is, wanted: was, same, crossed }
}

/** Decibels below full scale, below which a sound tells nothing. */
const leastHeard = -50
const mostLost = 12
const certainlyCrossed = { fit: 0.7, better: 0.25 } as const
/** The share of a sound in which its sides differ. */
const differing = { least: 0.05, lost: 0.1 } as const

/** Whether each side of a sound has what it has in what it was made of. */
export function checkChannels(
  channels: { readonly due: number | undefined; readonly made: number | undefined },
  heard: { readonly made: Buffer; readonly wanted: Buffer | undefined },
): Check {
  const name = 'channels'
  const { due, made: is } = channels
  if (due !== undefined && is !== undefined && is !== due) {
    return failed(name, `It has ${counted(is)}, and was to have ${counted(due)}.`)
  }
  if (!heard.wanted) return passed(name, 'What each is to have is not known.')
  const wanted = samplesIn(heard.wanted)
  const made = inTime(samplesIn(heard.made), wanted)
  const all = { from: 0, to: Math.min(made.length, wanted.length) }
  const fault = faultWithin(made, wanted, all, is !== 1)
  if (fault !== undefined) return failed(name, fault)
  const partly = faultInPart(made, wanted, is !== 1)
  if (!partly) return passed(name, 'Each side has what it has in its source.')
  const [startTime, endTime] = [partly.from, partly.to].map((place) => place / 2 / soundRate)
  const told = `${partly.what.slice(0, -1)}, from ${say(startTime ?? 0)} to ${say(endTime ?? 0)} s.`
  return { ...failed(name, told), stretch: { startTime: startTime ?? 0, endTime: endTime ?? 0 } }
}

/** Places of samples of both sides. */
type Range = { readonly from: number; readonly to: number }

function faultWithin(
  made: Int16Array,
  wanted: Int16Array,
  { from, to }: Range,
  hasSides: boolean,
): string | undefined {
  const sides = hasSides && sidesOf(made.subarray(from, to), wanted.subarray(from, to))
  const ofSides = sides ? faultOf(sides, (to - from) / 2) : undefined
  return ofSides ?? turnedOver(made, wanted, { from, to }, hasSides)
}

/** How long each part of a sound is that is looked at by itself, and how many in a row have to show a fault before it is certain. */
const part = { moments: 2 * soundRate, least: 2 } as const

/** The longest stretch in which a sound that is right in the whole has a fault. */
function faultInPart(
  made: Int16Array,
  wanted: Int16Array,
  hasSides: boolean,
): (Range & { what: string }) | undefined {
  const length = 2 * part.moments
  const count = Math.floor(Math.min(made.length, wanted.length) / length)
  let [longest, now] = [
    { from: 0, to: 0, what: '' },
    { from: 0, to: 0, what: '' },
  ]
  for (let i = 0; i < count; i++) {
    const range = { from: i * length, to: (i + 1) * length }
    const what = kindOf(faultWithin(made, wanted, range, hasSides)) ?? ''
    now = what !== '' && what === now.what ? { ...now, to: range.to } : { ...range, what }
    const isLonger = now.to - now.from > longest.to - longest.from
    if (what !== '' && isLonger) longest = now
  }
  return longest.to - longest.from >= part.least * length ? longest : undefined
}

/** A side is not as many decibels quieter in each part. */
function kindOf(fault: string | undefined): string | undefined {
  return fault?.replace(/\S+ dB quieter/, 'quieter')
}

/** How well the sides fit those that they are to be, together and each for itself, and how well the other ones. */
function fitsOf({ made, wanted, same, crossed }: Sides) {
  const fit = (both: number, one: number, other: number): number =>
    both / Math.max(1, Math.sqrt(one * other))
  const [is, was] = [made, wanted].map(({ left, right }) => left + right)
  return {
    asIs: fit(same.left + same.right, is ?? 0, was ?? 0),
    asCrossed: fit(crossed, is ?? 0, was ?? 0),
    left: fit(same.left, made.left, wanted.left),
    right: fit(same.right, made.right, wanted.right),
  }
}

/** A sound whose sides fit none that they may be, without what an encoder has added before it. */
function inTime(made: Int16Array, wanted: Int16Array): Int16Array {
  const { left, right, asCrossed } = fitsOf(sidesOf(made, wanted))
  if (Math.max(Math.abs(left), Math.abs(right), asCrossed) > certainlyCrossed.fit) return made
  const [from] = loudest(wanted, { from: 0, to: Math.min(made.length, wanted.length) })
  if (from === undefined) return made
  const part = wanted.subarray(from, from + 2 * stretch.moments)
  const fits = Array.from({ length: mostLag + 1 }, (_, lag) => {
    const late = made.subarray(from + 2 * lag, from + 2 * (lag + stretch.moments))
    const then = fitsOf(sidesOf(late, part))
    return Math.max(then.asIs, then.asCrossed)
  })
  const best = Math.max(...fits)
  return best > certainlyCrossed.fit ? made.subarray(2 * fits.indexOf(best)) : made
}

function faultOf(sides: Sides, moments: number): string | undefined {
  const { made, wanted } = sides
  const level = (energy: number): number =>
    10 * Math.log10(energy / Math.max(1, moments) / 32_768 ** 2 + 1e-10)
  // Other checks find a film that is silent altogether.
  const loudest = [wanted, made].map(({ left, right }) => level(Math.max(left, right)))
  if (Math.min(...loudest) < leastHeard) return undefined
  const left = level(made.left) - level(wanted.left)
  const right = level(made.right) - level(wanted.right)
  if (left < right - mostLost && level(wanted.left) > leastHeard) return quieter('left', left)
  if (right < left - mostLost && level(wanted.right) > leastHeard) return quieter('right', right)
  const { asIs, asCrossed } = fitsOf(sides)
  if (asCrossed > certainlyCrossed.fit && asCrossed - asIs > certainlyCrossed.better) {
    return 'Its left side is heard at the right, and its right side at the left.'
  }
  const [is, was] = [made, wanted].map(
    ({ left: a, right: b, together }) => (a + b - 2 * together) / Math.max(1, a + b),
  )
  const isLost = (was ?? 0) > differing.least && (is ?? 0) < (was ?? 0) * differing.lost
  return isLost ? 'Both of its sides are the same; those of its source are not.' : undefined
}

/** What of a sound is compared wave by wave: a few of the loudest half seconds. */
const stretch = { moments: soundRate / 2, count: 3 } as const
/** In moments of 8 kHz: what encoders add before a sound, where programs do not take it away again. */
const mostLag = 400
const inverted = { fit: -0.85, otherwise: 0.5, rest: 0.8, betterLate: 0.15 } as const

/**
 * Which waves are turned over, in the sound or in one of its sides. A tone that is turned over looks right half a wave later, so it
 * is turned over only if it fits better than there.
 */
function turnedOver(
  made: Int16Array,
  wanted: Int16Array,
  range: Range,
  hasSides: boolean,
): string | undefined {
  const begins = loudest(wanted, range)
  const turned = begins.map((from) =>
    [0, 1].map((side) => isTurnedOver(sideOf(made, side, from), sideOf(wanted, side, from))),
  )
  if (turned.length === 0) return undefined
  const [left, right] = [0, 1].map((side) => turned.every((sides) => sides[side]))
  if (left && right) return 'Every wave of its sound is turned over.'
  if (!hasSides || left === right) return undefined
  const isWhole = turned.every((sides) => sides[left ? 1 : 0] === false)
  return isWhole ? `Every wave of its ${left ? 'left' : 'right'} side is turned over.` : undefined
}

/** Where the loudest seconds of a sound begin, in samples. */
function loudest(wanted: Int16Array, { from, to }: Range): number[] {
  const step = 2 * stretch.moments
  const all = Array.from({ length: Math.floor((to - from) / step) }, (_, i) => {
    const begin = from + i * step
    const energy = energyOf(wanted.subarray(begin, begin + step))
    return { from: begin, energy: energy / step / 32_768 ** 2 }
  })
  return all
    .filter(({ energy }) => 10 * Math.log10(energy + 1e-10) > leastHeard)
    .toSorted((a, b) => b.energy - a.energy)
    .slice(0, stretch.count)
    .map(({ from }) => from)
}

function sideOf(samples: Int16Array, side: number, from: number): Float64Array {
  const moments = stretch.moments + 2 * mostLag
  return Float64Array.from(
    { length: moments },
    (_, i) => samples[from + 2 * (i - mostLag) + side] ?? 0,
  )
}

/** Undefined if it tells nothing. */
function isTurnedOver(made: Float64Array, wanted: Float64Array): boolean | undefined {
  const middle = wanted.subarray(mostLag, mostLag + stretch.moments)
  const energy = energyOf(middle)
  if (energy === 0) return undefined
  const fitAt = (lag: number, energyThen: number): number => {
    const late = made.subarray(mostLag + lag, mostLag + lag + stretch.moments)
    return togetherOf(late, middle) / Math.max(1, Math.sqrt(energyThen * energy))
  }
  const now = fitAt(0, energyOf(made.subarray(mostLag, mostLag + stretch.moments)))
  if (now > inverted.otherwise) return false
  let energyThen = energyOf(made.subarray(0, stretch.moments))
  const fits = Array.from({ length: 2 * mostLag + 1 }, (_, i) => {
    const fit = fitAt(i - mostLag, energyThen)
    energyThen += (made[i + stretch.moments] ?? 0) ** 2 - (made[i] ?? 0) ** 2
    return fit
  })
  const [least, best] = [Math.min(...fits), Math.max(...fits)]
  if (least > inverted.fit) return best > -inverted.fit ? false : undefined
  const isBetterNow = now < inverted.fit && 1 + now < (1 - best) * inverted.rest
  return isBetterNow || -least > best + inverted.betterLate
}

function togetherOf(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

function energyOf(samples: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += (samples[i] ?? 0) ** 2
  return sum
}

function quieter(side: string, decibels: number): string {
  return `Its ${side} side is ${say(-decibels)} dB quieter than in its source.`
}

function counted(channels: number): string {
  return channels === 1 ? 'one channel' : `${channels} channels`
}

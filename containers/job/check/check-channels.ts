import type { Check } from '../../../worker/contract/job/check.ts'
import { failed, passed, say, failedAt } from './check-tables.ts'
import { soundRate } from './look-at-film.ts'
import { samplesIn, decibelsOf } from './loudness-over-time.ts'
import type { Span } from '../../numbers/spans.ts'

type Energies = { readonly left: number; readonly right: number; readonly together: number }

/** The energy of both sides of two sounds, and how well they correlate. */
type Sides = {
  readonly made: Energies
  readonly wanted: Energies
  /** The product of each side with the same side of the other sound, and with its opposite side. */
  readonly same: { readonly left: number; readonly right: number }
  readonly crossed: number
  readonly moments: number
}

/** Only a few of the loudest half seconds are compared wave by wave. */
const stretch = { moments: soundRate / 2, count: 3 } as const

/** The sides of each half second. Their sums answer everything that is asked of a sound without faults. */
function halvesOf(made: Int16Array, wanted: Int16Array): Sides[] {
  const [length, step] = [Math.min(made.length, wanted.length), 2 * stretch.moments]
  return Array.from({ length: Math.ceil(length / step) }, (_, i) =>
    sidesBetween(made, wanted, { from: i * step, to: Math.min(length, (i + 1) * step) }),
  )
}

function sidesBetween(made: Int16Array, wanted: Int16Array, { from, to }: Span): Sides {
  let [isLeft, isRight, isBoth, wasLeft, wasRight, wasBoth] = [0, 0, 0, 0, 0, 0]
  let [sameLeft, sameRight, crossed] = [0, 0, 0]
  for (let i = from; i + 1 < to; i += 2) {
    const a = made[i] ?? 0
    const b = made[i + 1] ?? 0
    const c = wanted[i] ?? 0
    const d = wanted[i + 1] ?? 0
    isLeft += a * a
    isRight += b * b
    isBoth += a * b
    wasLeft += c * c
    wasRight += d * d
    wasBoth += c * d
    sameLeft += a * c
    sameRight += b * d
    crossed += a * d + b * c
  }
  return {
    made: { left: isLeft, right: isRight, together: isBoth },
    wanted: { left: wasLeft, right: wasRight, together: wasBoth },
    ...{ same: { left: sameLeft, right: sameRight }, crossed, moments: (to - from) / 2 },
  }
}

function sumOf(halves: readonly Sides[]): Sides {
  const sum = (valueOf: (one: Sides) => number): number =>
    halves.reduce((all, one) => all + valueOf(one), 0)
  const energies = (of: 'made' | 'wanted'): Energies => ({
    left: sum((one) => one[of].left),
    right: sum((one) => one[of].right),
    together: sum((one) => one[of].together),
  })
  return {
    ...{ made: energies('made'), wanted: energies('wanted') },
    same: { left: sum(({ same }) => same.left), right: sum(({ same }) => same.right) },
    crossed: sum((one) => one.crossed),
    moments: sum((one) => one.moments),
  }
}

/** Decibels below full scale: a quieter sound proves nothing. */
const leastHeard = -50
const mostLost = 12
const certainlyCrossed = { fit: 0.7, better: 0.25 } as const
/** The share of its energy in which the two sides of a sound differ. */
const differing = { least: 0.05, lost: 0.1 } as const

/** Whether each side of a sound has what its source has on that side. */
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
  const sounds = inTime(samplesIn(heard.made), wanted)
  const hasSides = is !== 1
  const fault = faultWithin(sounds, { from: 0, to: sounds.halves.length }, hasSides)
  if (fault !== undefined) return failed(name, fault)
  const partly = faultInPart(sounds, hasSides)
  if (!partly) return passed(name, 'Each side has what it has in its source.')
  const [startTime = 0, endTime = 0] = [partly.from, partly.to].map((half) => half / 2)
  const told = `${partly.what.slice(0, -1)}, from ${say(startTime)} to ${say(endTime)} s.`
  return failedAt(name, told, startTime, endTime)
}

type Sounds = {
  readonly made: Int16Array
  readonly wanted: Int16Array
  readonly halves: readonly Sides[]
}

function faultWithin(sounds: Sounds, range: Span, hasSides: boolean): string | undefined {
  const sides = sumOf(sounds.halves.slice(range.from, range.to))
  return (hasSides ? faultOf(sides) : undefined) ?? turnedOver(sounds, range, hasSides)
}

/** How many half seconds each part has that is judged by itself, and how many parts in a row must show a fault. */
const part = { halves: 4, least: 2 } as const

/** The longest stretch with a fault in a sound that is right on the whole. */
function faultInPart(
  sounds: Sounds,
  hasSides: boolean,
): (Span & { readonly what: string }) | undefined {
  const { made, wanted } = sounds
  const whole = Math.floor(Math.min(made.length, wanted.length) / 2 / stretch.moments)
  let [longest, now] = [
    { from: 0, to: 0, what: '' },
    { from: 0, to: 0, what: '' },
  ]
  for (let from = 0; from + part.halves <= whole; from += part.halves) {
    const range = { from, to: from + part.halves }
    const what = kindOf(faultWithin(sounds, range, hasSides)) ?? ''
    now = what !== '' && what === now.what ? { ...now, to: range.to } : { ...range, what }
    const isLonger = now.to - now.from > longest.to - longest.from
    if (what !== '' && isLonger) longest = now
  }
  return longest.to - longest.from >= part.least * part.halves ? longest : undefined
}

/** The kind of a fault without its figure: a side is not the same number of decibels quieter in each part. */
function kindOf(fault: string | undefined): string | undefined {
  return fault?.replace(/\S+ dB quieter/, 'quieter')
}

/** How well the sides fit the wanted ones, together and separately, and how well they fit the opposite ones. */
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

/** Moves a sound whose sides fit none of the wanted ones, to leave out what an encoder has added before it. */
function inTime(made: Int16Array, wanted: Int16Array): Sounds {
  const halves = halvesOf(made, wanted)
  const { left, right, asCrossed } = fitsOf(sumOf(halves))
  const own = { made, wanted, halves }
  if (Math.max(Math.abs(left), Math.abs(right), asCrossed) > certainlyCrossed.fit) return own
  const [loud] = loudest(halves, heardIn)
  if (loud === undefined) return own
  const from = 2 * loud * stretch.moments
  const part = wanted.subarray(from, from + 2 * stretch.moments)
  const fits = Array.from({ length: mostLag + 1 }, (_, lag) => {
    const late = made.subarray(from + 2 * lag, from + 2 * (lag + stretch.moments))
    const then = fitsOf(sidesBetween(late, part, { from: 0, to: late.length }))
    return Math.max(then.asIs, then.asCrossed)
  })
  const best = Math.max(...fits)
  if (best <= certainlyCrossed.fit) return own
  const moved = made.subarray(2 * fits.indexOf(best))
  return { made: moved, wanted, halves: halvesOf(moved, wanted) }
}

function faultOf(sides: Sides): string | undefined {
  const { made, wanted, moments } = sides
  const level = (energy: number): number => decibelsOf(energy / Math.max(1, moments))
  // Another check finds a film that is completely silent.
  const loudest = [wanted, made].map(({ left, right }) => level(Math.max(left, right)))
  if (Math.min(...loudest) < leastHeard) return undefined
  const left = level(made.left) - level(wanted.left)
  const right = level(made.right) - level(wanted.right)
  if (left < right - mostLost && level(wanted.left) > leastHeard) return quieter('left', left)
  if (right < left - mostLost && level(wanted.right) > leastHeard) return quieter('right', right)
  const { asIs, asCrossed } = fitsOf(sides)
  if (asCrossed > certainlyCrossed.fit && asCrossed - asIs > certainlyCrossed.better) {
    return exchanged
  }
  const [is, was] = [made, wanted].map(
    (one) => differenceIn(one) / Math.max(1, one.left + one.right),
  )
  const isLost = (was ?? 0) > differing.least && (is ?? 0) < (was ?? 0) * differing.lost
  return isLost ? 'Both of its sides are the same; those of its source are not.' : undefined
}

const exchanged = 'Its left side is heard at the right, and its right side at the left.'

/** The energy that only one of the two sides has. */
function differenceIn({ left, right, together }: Energies): number {
  return left + right - 2 * together
}

/** Samples at 8 kHz that encoders add before a sound and that some programs do not remove. */
const mostLag = 400
const inverted = { fit: -0.85, otherwise: 0.5, rest: 0.8, betterLate: 0.15 } as const
/** A sound that fits this well is not late. */
const inItsTime = 0.95

/** A wave of a sound: a side, or the difference between left and right. */
type WaveOf = {
  readonly energyIn: (energies: Energies) => number
  readonly togetherIn: (sides: Sides) => number
  readonly valueOf: (left: number, right: number) => number
}

const left: WaveOf = {
  energyIn: (one) => one.left,
  togetherIn: ({ same }) => same.left,
  valueOf: (value) => value,
}
const right: WaveOf = {
  energyIn: (one) => one.right,
  togetherIn: ({ same }) => same.right,
  valueOf: (_, value) => value,
}
const difference: WaveOf = {
  energyIn: differenceIn,
  togetherIn: ({ same, crossed }) => same.left + same.right - crossed,
  valueOf: (one, other) => one - other,
}
const heardIn = ({ wanted }: Sides): number => wanted.left + wanted.right

/**
 * Which waves are inverted, of the sound or of one of its sides. A tone that is inverted looks right half a period later,
 * so it counts as inverted only if it fits better than there.
 */
function turnedOver(sounds: Sounds, range: Span, hasSides: boolean): string | undefined {
  const begins = loudest(sounds.halves, heardIn, range)
  if (begins.length === 0) return undefined
  const [lefts, rights] = [left, right].map((wave) =>
    begins.map((half) => isTurnedOver(sounds, half, wave)),
  )
  const isTurned = [lefts, rights].map((all) => all?.every((one) => one) === true)
  if (isTurned[0] && isTurned[1]) return 'Every wave of its sound is turned over.'
  if (!hasSides) return undefined
  if (isTurned[0] === isTurned[1]) return isExchanged(sounds, range) ? exchanged : undefined
  const isWhole = (isTurned[0] ? rights : lefts)?.every((one) => one === false)
  return isWhole
    ? `Every wave of its ${isTurned[0] ? 'left' : 'right'} side is turned over.`
    : undefined
}

/** Whether the sides are exchanged. Sides that are nearly the same still fit each other, but their difference is inverted. */
function isExchanged(sounds: Sounds, range: Span): boolean {
  const begins = loudest(sounds.halves, ({ wanted }) => differenceIn(wanted), range)
  const isOver = begins.map((half) => isTurnedOver(sounds, half, difference))
  return begins.length === stretch.count && isOver.every((one) => one)
}

/** The loudest half seconds. */
function loudest(
  halves: readonly Sides[],
  energyIn: (sides: Sides) => number,
  { from, to }: Span = { from: 0, to: halves.length },
): number[] {
  return halves
    .slice(from, to)
    .map((one, i) => ({ half: from + i, energy: energyIn(one), moments: one.moments }))
    .filter(({ moments }) => moments === stretch.moments)
    .filter(({ energy }) => decibelsOf(energy / (2 * stretch.moments)) > leastHeard)
    .toSorted((a, b) => b.energy - a.energy)
    .slice(0, stretch.count)
    .map(({ half }) => half)
}

/** A wave of a half second, with as much before and behind it as the sound may be late or early. */
function waveOf(samples: Int16Array, { valueOf }: WaveOf, half: number): Float64Array {
  const wave = new Float64Array(stretch.moments + 2 * mostLag)
  const from = 2 * (half * stretch.moments - mostLag)
  for (let i = 0; i < wave.length; i++) {
    wave[i] = valueOf(samples[from + 2 * i] ?? 0, samples[from + 2 * i + 1] ?? 0)
  }
  return wave
}

/** Undefined if the wave proves nothing. */
function isTurnedOver(sounds: Sounds, half: number, wave: WaveOf): boolean | undefined {
  const sides = sounds.halves[half]
  const energy = sides ? wave.energyIn(sides.wanted) : 0
  if (!sides || energy <= 0) return undefined
  const energyNow = wave.energyIn(sides.made)
  const now = wave.togetherIn(sides) / Math.max(1, Math.sqrt(energyNow * energy))
  const isInTime = now > inverted.fit && fitsOf(sides).asIs > inItsTime
  if (now > inverted.otherwise || isInTime) return false
  const made = waveOf(sounds.made, wave, half)
  const middle = waveOf(sounds.wanted, wave, half).subarray(mostLag, mostLag + stretch.moments)
  const first = made.subarray(0, stretch.moments)
  let energyThen = togetherOf(first, first)
  const fits = Array.from({ length: 2 * mostLag + 1 }, (_, i) => {
    const late = made.subarray(i, i + stretch.moments)
    const fit = togetherOf(late, middle) / Math.max(1, Math.sqrt(energyThen * energy))
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

function quieter(side: string, decibels: number): string {
  return `Its ${side} side is ${say(-decibels)} dB quieter than in its source.`
}

function counted(channels: number): string {
  return channels === 1 ? 'one channel' : `${channels} channels`
}

import type { Check } from '../../../worker/contract/job/check.ts'
import { failed, say, thousandths } from './check-tables.ts'
import { soundRate } from './look-at-film.ts'
import { samplesIn } from './loudness-over-time.ts'

/** Above that, a sound that comes a part of a moment later looks like another one. */
const waveRate = 4_000
const step = soundRate / waveRate
/** How much of a sound is compared at once. */
const blockSeconds = 0.5
const block = blockSeconds * waveRate
/** What encoders add before a sound, where programs do not take it away again. */
const mostLag = 0.05 * waveRate
/** Decibels below full scale, below which a block tells nothing. */
const leastHeard = -50

/** Few bits hold less of a sound. */
const limits = { usual: { fit: 0.9, off: 2.5 }, few: { fit: 0.6, off: 5 } } as const
const leastBlocks = 2
/** What fits so well somewhere else comes too early or too late. */
const moved = { fit: 0.85, seconds: 1, least: 0.04 } as const

type Waves = { readonly left: Float64Array; readonly right: Float64Array }

function wavesOf(bytes: Buffer): Waves {
  const samples = samplesIn(bytes)
  const count = Math.floor(samples.length / 2 / step)
  const sideOf = (side: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => {
      let sum = 0
      for (let k = 0; k < step; k++) sum += samples[2 * (i * step + k) + side] ?? 0
      return sum / step
    })
  return { left: sideOf(0), right: sideOf(1) }
}

type Products = { readonly together: number; readonly made: number; readonly due: number }

/** Of a block of what is due, and of what was made so much later. */
function productsAt(made: Waves, due: Waves, from: number, lag: number): Products {
  let [together, isAll, wasAll] = [0, 0, 0]
  for (const side of ['left', 'right'] as const) {
    const [is, was] = [made[side], due[side]]
    for (let i = from; i < from + block; i++) {
      const [a, b] = [is[i + lag] ?? 0, was[i] ?? 0]
      together += a * b
      isAll += a * a
      wasAll += b * b
    }
  }
  return { together, made: isAll, due: wasAll }
}

function fitOf({ together, made, due }: Products): number {
  return together / Math.max(1, Math.sqrt(made * due))
}

function levelOf(energy: number): number {
  return 10 * Math.log10(energy / (2 * block) / 32_768 ** 2 + 1e-10)
}

/** The lag in a range at which a block fits best, and how well. */
function bestLag(made: Waves, due: Waves, from: number, most: number) {
  let best = { lag: 0, fit: -1 }
  for (let lag = -most; lag <= most; lag++) {
    const fit = fitOf(productsAt(made, due, from, lag))
    if (fit > best.fit) best = { lag, fit }
  }
  return best
}

type BlockSeen = { readonly from: number; readonly fit: number; readonly off: number }

/** How each half second of a sound in which something is to be heard fits what is due, and how much louder it is. */
function compareWaves(made: Buffer, due: Buffer) {
  const [is, was] = [wavesOf(made), wavesOf(due)]
  const all = Math.floor(Math.min(is.left.length, was.left.length) / block)
  const begins = Array.from({ length: all }, (_, i) => i * block)
  const loudest = begins
    .map((from) => ({ from, energy: productsAt(was, was, from, 0).due }))
    .toSorted((a, b) => b.energy - a.energy)[all >> 3]
  const usual = loudest ? bestLag(is, was, loudest.from, mostLag) : { lag: 0, fit: 0 }
  const lag = usual.fit > moved.fit ? usual.lag : 0
  const seen = begins.map((from): BlockSeen => {
    const near = [lag - 1, lag, lag + 1].map((one) => productsAt(is, was, from, one))
    const fits = near.map(fitOf)
    const { made: energy, due: wanted } = near[1] ?? { made: 0, due: 0 }
    const isHeard = Math.max(levelOf(energy), levelOf(wanted)) > leastHeard
    return {
      from,
      fit: isHeard ? Math.max(...fits) : 1,
      off: isHeard ? levelOf(energy) - levelOf(wanted) : 0,
    }
  })
  return { seen, lagAt: (from: number) => bestLag(is, was, from, moved.seconds * waveRate) }
}

/** Blocks that follow each other. */
type Run = readonly BlockSeen[]

/** Whether the sound is that of the plan, wave by wave. */
export function checkWaves(
  made: Buffer,
  due: Buffer,
  bits: keyof typeof limits,
): Check | undefined {
  const { fit: least, off: most } = limits[bits]
  const { seen, lagAt } = compareWaves(made, due)
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
  if (!off || !first) return undefined
  const how = `${say(Math.abs(first.off))} dB ${first.off > 0 ? 'louder' : 'quieter'}`
  return told('loudness', off, `It is ${how} than was planned`)
}

function longestRun(
  seen: readonly BlockSeen[],
  isOdd: (one: BlockSeen) => boolean,
): Run | undefined {
  let longest: Run = []
  let from = 0
  for (let to = 0; to <= seen.length; to++) {
    const one = seen[to]
    if (one && isOdd(one)) continue
    if (to - from > longest.length) longest = seen.slice(from, to)
    from = to + 1
  }
  return longest.length >= leastBlocks ? longest : undefined
}

function told(name: Check['name'], blocks: Run, what: string): Check {
  const startTime = thousandths((blocks[0]?.from ?? 0) / waveRate)
  const endTime = thousandths(startTime + blocks.length * blockSeconds)
  const message = `${what}, from ${say(startTime)} to ${say(endTime)} s.`
  return { ...failed(name, message), stretch: { startTime, endTime } }
}

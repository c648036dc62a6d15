import { blocksPerSecond } from '../level/block-meter.ts'
import { WorkInTurns } from '../dsp/in-turns.ts'
import type { BlockRun } from '../dsp/runs.ts'
import { meanOf } from '../../numbers/mean.ts'

/** Between two beats, or two parts of one: 55 to 270 in a minute. */
const [shortestBeat, longestBeat] = [0.22, 1.1].map((seconds) => seconds * blocksPerSecond) as [
  number,
  number,
]
/**
 * A beat exists if sound begins again after one beat and after two, this much like it did before (correlation), and this many
 * times as certainly as by chance. Measured on gaps of 12 s: music has 11 to 24, rain, streets and crowds 1 to 5.
 */
const leastLikeness = 0.3
const leastSureness = 8
/** Fewer pairs of blocks prove nothing. */
const leastPairs = blocksPerSecond
/** At every place in possible music, a beat is looked for within this much of it, because voices interrupt it. */
const reach = 15 * blocksPerSecond
const place = 4 * blocksPerSecond
/** A rise of this much counts as much as a greater one. */
const mostRiseDb = 15
const faintest = 1e-10

/** Where drums play in some stretches, from the powers of bands; stretches are in order and apart. */
export async function findBeat(
  stretches: readonly BlockRun[],
  bands: readonly Float32Array[],
): Promise<BlockRun[]> {
  const places = stretches.flatMap(placesIn)
  const found: BlockRun[] = []
  const turns = new WorkInTurns()
  for (const here of places) {
    const whole = { from: Math.max(0, here.from - reach), to: here.to + reach }
    const nearby = stretches.flatMap((stretch) => overlapOf(stretch, whole))
    await turns.before((whole.to - whole.from) * 2)
    if (hasBeat(nearby, whole, bands)) found.push(here)
  }
  return found
}

function placesIn({ from, to }: BlockRun): BlockRun[] {
  const count = Math.max(1, Math.round((to - from) / place))
  const at = (i: number): number => from + Math.round(((to - from) * i) / count)
  return Array.from({ length: count }, (_, i) => ({ from: at(i), to: at(i + 1) }))
}

function overlapOf(run: BlockRun, whole: BlockRun): BlockRun[] {
  const [from, to] = [Math.max(run.from, whole.from), Math.min(run.to, whole.to)]
  return from < to ? [{ from, to }] : []
}

function hasBeat(
  runs: readonly BlockRun[],
  whole: BlockRun,
  bands: readonly Float32Array[],
): boolean {
  const rises = risesIn(runs, whole, bands)
  const sureness = new Float64Array(2 * longestBeat + 2)
  for (let lag = shortestBeat; lag < sureness.length; lag++) sureness[lag] = surenessAt(rises, lag)
  for (let lag = shortestBeat; lag <= longestBeat; lag++) {
    const second = Math.max(...sureness.subarray(2 * lag - 1, 2 * lag + 2))
    if (Math.min(sureness[lag] ?? 0, second) >= leastSureness) return true
  }
  return false
}

/** How much louder each block is than those before it, less the mean of all and in units of their spread; NaN outside of the runs. */
function risesIn(
  runs: readonly BlockRun[],
  whole: BlockRun,
  bands: readonly Float32Array[],
): Float32Array {
  const rises = new Float32Array(whole.to - whole.from).fill(Number.NaN)
  for (const { from, to } of runs) {
    for (let block = from + 2; block < to - 1; block++)
      rises[block - whole.from] = riseAt(bands, block)
  }
  const known = rises.filter((value) => !Number.isNaN(value))
  const mean = meanOf(known)
  const power = known.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const spread = Math.sqrt(power / Math.max(1, known.length)) || 1
  return rises.map((value) => (value - mean) / spread)
}

function riseAt(bands: readonly Float32Array[], block: number): number {
  let sum = 0
  for (const powers of bands) {
    const at = (i: number): number => powers[block + i] ?? 0
    const db = 10 * Math.log10((at(0) + at(1) + faintest) / (at(-1) + at(-2) + faintest))
    sum += Math.max(0, Math.min(mostRiseDb, db))
  }
  return sum / bands.length
}

/** How certain a beat at this distance is: likeness times the root of the number of pairs, which is about 1 by chance. */
function surenessAt(rises: Float32Array, lag: number): number {
  let [product, pairs] = [0, 0]
  for (let i = lag; i < rises.length; i++) {
    const value = (rises[i] ?? 0) * (rises[i - lag] ?? 0)
    if (Number.isNaN(value)) continue
    product += value
    pairs += 1
  }
  return pairs >= leastPairs && product / pairs >= leastLikeness ? product / Math.sqrt(pairs) : 0
}

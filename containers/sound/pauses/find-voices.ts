import { blocksPerSecond } from '../level/block-meter.ts'
import type { HeardBlocks } from './heard-blocks.ts'
import { decibels, percentileDb } from '../level/levels.ts'
import { meanAbove } from '../level/loudness.ts'
import { between, totalLength } from '../../numbers/spans.ts'
import { runsOf, type BlockRun } from '../dsp/runs.ts'

/** Where somebody speaks, and how loudly: by K-weighted power, and in each band. */
export type VoiceRuns = {
  readonly runs: readonly BlockRun[]
  readonly loudnessDb: number
  readonly bandsDb: readonly number[]
}

/** A voice reaches the probability `sure` somewhere, and extends on both sides for as long as it is at least `likely`. */
type Thresholds = { readonly sure: number; readonly likely: number }

const ordinary: Thresholds = { sure: 0.5, likely: 0.2 }
/** The detector is less certain of soft words that are no louder than the noise. */
const inNoise: Thresholds = { sure: 0.35, likely: 0.1 }
/**
 * How far the voice is above what is heard when nobody speaks. Up to `noisyDb` the recording is noisy, from `clearDb` on
 * it is clear, and in between the thresholds are mixed.
 */
const noisyDb = 12
const clearDb = 17
/** A shorter run is not a word, but for instance a drop of rain that the detector took for a voice. */
const leastRun = 0.09 * blocksPerSecond

/** A recording has a voice if this much of it certainly is one. */
const certain = { probability: 0.8, run: 0.25 * blocksPerSecond, total: 0.5 * blocksPerSecond }

/** Finds the voices; undefined if nobody speaks. */
export async function findVoices(
  heard: HeardBlocks,
  voice: Float32Array,
): Promise<VoiceRuns | undefined> {
  const at = (block: number): number => voice[block] ?? 0
  const all = { from: 0, to: heard.count }
  const doubtless = await runsOf(all, (block) => at(block) >= certain.probability)
  const certainBlocks = doubtless
    .map(({ from, to }) => to - from)
    .filter((length) => length >= certain.run)
    .reduce((sum, length) => sum + length, 0)
  if (certainBlocks < certain.total) return undefined
  const surely = await runsAt(heard, voice, ordinary)
  const noise = await percentileDb(await unspokenOf(heard, surely), 0.5)
  const contrastDb = decibels(await loudMean(heard.loudness, maskOf(surely, heard.count))) - noise
  const runs = await runsAt(heard, voice, thresholdsAt(contrastDb))
  const isSpoken = maskOf(runs, heard.count)
  return {
    runs,
    loudnessDb: decibels(await loudMean(heard.loudness, isSpoken)),
    bandsDb: await Promise.all(
      heard.bands.map(async (band) => decibels(await loudMean(band, isSpoken))),
    ),
  }
}

function thresholdsAt(contrastDb: number): Thresholds {
  const share = Math.min(1, Math.max(0, (clearDb - contrastDb) / (clearDb - noisyDb)))
  const mix = (name: keyof Thresholds): number =>
    ordinary[name] + share * (inNoise[name] - ordinary[name])
  return { sure: mix('sure'), likely: mix('likely') }
}

async function runsAt(
  { count }: HeardBlocks,
  voice: Float32Array,
  { sure, likely }: Thresholds,
): Promise<BlockRun[]> {
  const runs = await runsOf({ from: 0, to: count }, (block) => (voice[block] ?? 0) >= likely)
  return runs.filter(
    ({ from, to }) => to - from >= leastRun && voice.subarray(from, to).some((p) => p >= sure),
  )
}

function maskOf(runs: readonly BlockRun[], count: number): Uint8Array {
  const mask = new Uint8Array(count)
  for (const { from, to } of runs) mask.fill(1, from, to)
  return mask
}

/** The levels of everything between the voices, one after the other. */
async function unspokenOf(heard: HeardBlocks, runs: readonly BlockRun[]): Promise<Float32Array> {
  const gaps = between(runs, { from: 0, to: heard.count })
  const powers = new Float32Array(totalLength(gaps))
  let at = 0
  for (const { from, to } of gaps) {
    powers.set(heard.loudness.subarray(from, to), at)
    at += to - from
  }
  return powers
}

/** The mean of all that is at most 10 dB below the mean: as in BS.1770, pauses within speech do not count. */
async function loudMean(powers: Float32Array, isSpoken: Uint8Array): Promise<number> {
  return meanAbove(powers, (await meanAbove(powers, 0, isSpoken)) / 10, isSpoken)
}

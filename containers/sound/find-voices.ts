import { blocksPerSecond } from './block-meter.ts'
import type { HeardBlocks } from './find-pauses.ts'
import { inTurns } from './in-turns.ts'
import { decibels } from './levels.ts'
import { runsOf, type Run } from './runs.ts'

/** Where somebody speaks, and how loudly: of K-weighted power, and of each band. */
export type Voices = {
  readonly runs: readonly Run[]
  readonly loudnessDb: number
  readonly bandsDb: readonly number[]
}

/** A voice reaches this probability somewhere … */
const sure = 0.5
/** … and is one with everything around it that has this one. */
const likely = 0.2
/** Shorter than any word, and than what a detector makes of a drop of rain. */
const leastRun = 0.09 * blocksPerSecond

/** Somebody speaks in a recording when this much of it is beyond doubt. */
const certain = { probability: 0.8, run: 0.25 * blocksPerSecond, total: 0.5 * blocksPerSecond }

/** Undefined when nobody speaks. */
export async function findVoices(
  heard: HeardBlocks,
  voice: Float32Array,
): Promise<Voices | undefined> {
  const at = (block: number): number => voice[block] ?? 0
  const isCertain = runsOf(heard.count, (block) => at(block) >= certain.probability)
  const certainBlocks = isCertain
    .map(({ from, to }) => to - from)
    .filter((length) => length >= certain.run)
    .reduce((sum, length) => sum + length, 0)
  if (certainBlocks < certain.total) return undefined
  const runs = runsOf(heard.count, (block) => at(block) >= likely).filter(
    ({ from, to }) => to - from >= leastRun && voice.subarray(from, to).some((p) => p >= sure),
  )
  return {
    runs,
    loudnessDb: decibels(await loudMean(heard.loudness, runs)),
    bandsDb: await Promise.all(
      heard.bands.map(async (band) => decibels(await loudMean(band, runs))),
    ),
  }
}

/** Of what is at most 10 dB under the mean: the pauses of a voice do not count, as in BS.1770. */
async function loudMean(powers: Float32Array, runs: readonly Run[]): Promise<number> {
  return meanAbove(powers, runs, (await meanAbove(powers, runs, 0)) / 10)
}

async function meanAbove(
  powers: Float32Array,
  runs: readonly Run[],
  least: number,
): Promise<number> {
  let sum = 0
  let count = 0
  for (const { from, to } of runs) {
    await inTurns(to - from, (first, last) => {
      for (let i = from + first; i < from + last; i++) {
        const power = powers[i] ?? 0
        if (power < least) continue
        sum += power
        count += 1
      }
    })
  }
  return count === 0 ? 0 : sum / count
}

import { blocksPerSecond } from '../level/block-meter.ts'
import { integratedLoudness, loudnessOfPower } from '../level/loudness.ts'
import { smooth } from '../level/levels.ts'
import { runsOf, type Run } from '../dsp/runs.ts'

/** A block is silent if it is this far below the loudness of the whole recording … */
const rangeDb = 15
/** … and below this loudness. */
const mostLoudness = -50
/** Averaged over 100 ms, in which a hum of 50 Hz has a constant level. */
const smoothingReach = 0.05 * blocksPerSecond

/** Finds silence by level alone, from K-weighted powers of 10 ms each; undefined if the whole recording is silent. */
export async function findSilence(loudness: Float32Array): Promise<Run[] | undefined> {
  const whole = await integratedLoudness(loudness)
  if (!Number.isFinite(whole)) return undefined
  const limit = Math.min(mostLoudness, whole - rangeDb)
  const powers = await smooth(loudness, smoothingReach)
  const all = { from: 0, to: powers.length }
  return runsOf(all, (block) => loudnessOfPower(powers[block] ?? 0) < limit)
}

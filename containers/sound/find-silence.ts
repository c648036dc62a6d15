import { blocksPerSecond } from './block-meter.ts'
import { integratedLoudness, loudnessOfPower } from './loudness.ts'
import { smooth } from './levels.ts'
import { runsOf, type Run } from './runs.ts'

/** Silent is what is this far under the loudness of the whole … */
const rangeDb = 15
/** … and under this one. */
const mostLoudness = -50
/** 100 ms: a hum of 50 Hz is level then. */
const smoothingReach = 0.05 * blocksPerSecond

/** By level alone, from K-weighted powers of 10 ms; undefined when all of it is silent. */
export async function findSilence(loudness: Float32Array): Promise<Run[] | undefined> {
  const whole = await integratedLoudness(loudness)
  if (!Number.isFinite(whole)) return undefined
  const limit = Math.min(mostLoudness, whole - rangeDb)
  const powers = await smooth(loudness, smoothingReach)
  const all = { from: 0, to: powers.length }
  return runsOf(all, (block) => loudnessOfPower(powers[block] ?? 0) < limit)
}

import { inTurns } from '../dsp/in-turns.ts'

/** Below this there are only rounding errors. */
const quietestDb = -120

export function decibels(power: number): number {
  return power > 0 ? Math.max(quietestDb, 10 * Math.log10(power)) : quietestDb
}

export function powerOf(db: number): number {
  return 10 ** (db / 10)
}

/** The mean of each block and its neighbours up to `reach`. */
export async function smooth(powers: Float32Array, reach: number): Promise<Float32Array> {
  const smoothed = new Float32Array(powers.length)
  let sum = 0
  for (let i = 0; i < Math.min(reach, powers.length); i++) sum += powers[i] ?? 0
  await inTurns(powers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      sum += (powers[i + reach] ?? 0) - (powers[i - reach - 1] ?? 0)
      smoothed[i] = Math.max(0, sum) / (2 * reach + 1)
    }
  })
  return smoothed
}

/**
 * The level below which this share of the blocks lies. It counts instead of sorting, because sorting hours of blocks
 * would block the thread.
 */
export async function percentileDb(powers: Float32Array, share: number): Promise<number> {
  const perDb = 4
  const counts = new Uint32Array((10 - quietestDb) * perDb + 1)
  await inTurns(powers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const db = decibels(powers[i] ?? 0)
      const bin = Math.min(counts.length - 1, Math.round((db - quietestDb) * perDb))
      counts[bin] = (counts[bin] ?? 0) + 1
    }
  })
  let left = powers.length * share
  const found = counts.findIndex((count) => {
    left -= count
    return left < 0
  })
  return quietestDb + Math.max(0, found) / perDb
}

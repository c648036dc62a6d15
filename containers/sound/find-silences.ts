import { blocksPerSecond, type SoundBlocks } from './block-meter.ts'
import { inTurns } from './in-turns.ts'

export type Silence = { readonly startSeconds: number; readonly endSeconds: number }

/** What was heard: where nobody speaks, or why that cannot be told. */
export type Hearing =
  | { readonly kind: 'pauses'; readonly silences: readonly Silence[] }
  | { readonly kind: 'silent' }
  | { readonly kind: 'even' }

/** Shorter pauses belong to speech. */
const leastSeconds = 0.5
/**
 * Left of a pause on either side: words begin and end more softly than they sound. Noise hides more of them, so the
 * least is left where speech is clear of it, and the most where it hardly is.
 */
const padding = { leastSeconds: 0.2, mostSeconds: 0.4, clearDb: 20, hiddenDb: 10 } as const

/** 50 ms: steady noise then wavers by less than 1 dB. */
const smoothingBlocks = 5
/** A band under this holds nothing but rounding errors. */
const inaudibleDb = -75
/** Speech this little above the floor cannot be told from it. */
const leastContrastDb = 7
/** The softest parts of speech under its mean. */
const speechRangeDb = 35

/**
 * Finds pauses in bands, each against its own noise floor: a word that ends on "s" under the rumble of a room is still
 * heard to its end, also where that band alone could not tell speech from noise.
 */
export async function findSilences(blocks: SoundBlocks): Promise<Hearing> {
  const bands: Band[] = []
  for (const powers of [blocks.low, blocks.middle, blocks.high]) {
    bands.push(await listen(powers.subarray(0, blocks.count)))
  }
  if (bands.every(({ speechDb }) => speechDb < inaudibleDb)) return { kind: 'silent' }
  const audible = bands.filter(({ speechDb }) => speechDb >= inaudibleDb)
  const contrastDb = Math.max(...audible.map(({ speechDb, floorDb }) => speechDb - floorDb))
  if (contrastDb < leastContrastDb) return { kind: 'even' }
  const isSound = new Uint8Array(blocks.count)
  for (const { smoothed, threshold } of audible) {
    await inTurns(isSound.length, (from, to) => {
      for (let i = from; i < to; i++) if ((smoothed[i] ?? 0) > threshold) isSound[i] = 1
    })
  }
  if (!isSound.includes(1)) return { kind: 'even' }
  return { kind: 'pauses', silences: await quietRuns(isSound, paddingAt(contrastDb)) }
}

type Band = { smoothed: Float32Array; floorDb: number; speechDb: number; threshold: number }

async function listen(powers: Float32Array): Promise<Band> {
  const smoothed = await smooth(powers)
  const floorDb = await percentileDb(smoothed, 0.1)
  const speechDb = await meanOfLoud(powers)
  const contrast = speechDb - floorDb
  const aboveFloor = floorDb + Math.min(8, Math.max(2.5, contrast * 0.2))
  const thresholdDb = Math.max(aboveFloor, speechDb - speechRangeDb, inaudibleDb)
  return { smoothed, floorDb, speechDb, threshold: 10 ** (thresholdDb / 10) }
}

function paddingAt(contrastDb: number): number {
  const { leastSeconds, mostSeconds, clearDb, hiddenDb } = padding
  const hidden = Math.min(1, Math.max(0, (clearDb - contrastDb) / (clearDb - hiddenDb)))
  return leastSeconds + hidden * (mostSeconds - leastSeconds)
}

async function quietRuns(isSound: Uint8Array, paddingSeconds: number): Promise<Silence[]> {
  const count = isSound.length
  // Smoothing lets every sound reach this far into the pause.
  const blur = Math.floor(smoothingBlocks / 2)
  const padded = Math.round(paddingSeconds * blocksPerSecond)
  const least = Math.max(leastSeconds, 2 * paddingSeconds + 0.1) * blocksPerSecond
  const silences: Silence[] = []
  let start = 0
  const endRun = (block: number): void => {
    const isFirst = start === 0
    const isLast = block === count
    const length = block - start + (isFirst ? 0 : blur) + (isLast ? 0 : blur)
    if (block > start && length >= least) {
      silences.push({
        startSeconds: (start + (isFirst ? 0 : padded - blur)) / blocksPerSecond,
        endSeconds: (block - (isLast ? 0 : padded - blur)) / blocksPerSecond,
      })
    }
    start = block + 1
  }
  await inTurns(count, (from, to) => {
    for (let block = from; block < to; block++) if (isSound[block] === 1) endRun(block)
  })
  endRun(count)
  return silences
}

async function smooth(powers: Float32Array): Promise<Float32Array> {
  const reach = Math.floor(smoothingBlocks / 2)
  const smoothed = new Float32Array(powers.length)
  await inTurns(powers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      let sum = 0
      for (let k = i - reach; k <= i + reach; k++) sum += powers[k] ?? 0
      smoothed[i] = sum / smoothingBlocks
    }
  })
  return smoothed
}

const quietestDb = -120

function decibels(power: number): number {
  return power > 0 ? Math.max(quietestDb, 10 * Math.log10(power)) : quietestDb
}

/** By counting: sorting an hour of blocks would keep everybody waiting. */
async function percentileDb(powers: Float32Array, share: number): Promise<number> {
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

/** Mean of what is at most 10 dB under the mean: pauses do not count, as in BS.1770. */
async function meanOfLoud(powers: Float32Array): Promise<number> {
  const least = 10 ** (inaudibleDb / 10)
  const audible = await meanAbove(powers, least)
  return decibels(await meanAbove(powers, Math.max(least, audible / 10)))
}

async function meanAbove(powers: Float32Array, least: number): Promise<number> {
  let sum = 0
  let count = 0
  await inTurns(powers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const power = powers[i] ?? 0
      if (power < least) continue
      sum += power
      count += 1
    }
  })
  return count === 0 ? 0 : sum / count
}

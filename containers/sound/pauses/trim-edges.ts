import { blocksPerSecond } from '../level/block-meter.ts'
import { percentileDb, powerOf } from '../level/levels.ts'
import type { BlockRun } from '../dsp/runs.ts'

/** One band of the sound, smoothed over 50 ms, and the level of the voice in it. */
export type Band = { readonly smoothed: Float32Array; readonly voiceDb: number }

/**
 * Words end softly and rooms reverberate: after a voice, and for a shorter time before it, sound above the floor
 * belongs to the voice. In a room that reverberates for a second, the sound reaches the floor after this time for each
 * decibel between the two.
 */
const ringing = { behind: blocksPerSecond / 60, before: blocksPerSecond / 120 }
const longestRinging = 0.5 * blocksPerSecond
/** Sound that rises above the floor again within this time had only a dip. */
const dip = 0.06 * blocksPerSecond
/**
 * The detector reports a voice for longer than the word lasts: if the level is clear, the pause begins this much
 * earlier.
 */
const heldOn = 0.12 * blocksPerSecond
const clearDb = 20

/** This share of the blocks in a gap between voices is no louder than the floor. */
const floorShare = 0.5
/** A band below this level holds only rounding errors. */
const inaudibleDb = -75
/** How far an edge moves into a gap, at most … */
const voiceReach = 0.4 * blocksPerSecond
/** … and how much has to be left to measure the noise. */
const leastNoise = 0.3 * blocksPerSecond
/** How far the softest parts of speech are below its mean. */
const speechRangeDb = 35

/**
 * What the levels show about a gap, in bands, each against its own floor: an "s" is audible even below the rumble of a
 * room.
 */
export type GapLevels = {
  /** Whether a block is above the floor in any band. */
  readonly isSound: (block: number) => boolean
  /** How far the voice is above the floor, in the band where that is most. */
  readonly contrastDb: number
}

export async function gapLevelsOf(gap: BlockRun, bands: readonly Band[]): Promise<GapLevels> {
  const limits = await Promise.all(bands.map(async (band) => limitOf(gap, band)))
  return {
    isSound: (block) =>
      bands.some(({ smoothed }, i) => (smoothed[block] ?? 0) > (limits[i]?.power ?? Infinity)),
    contrastDb: Math.max(...limits.map((limit) => limit.contrastDb)),
  }
}

/** Moves the ends of a gap between voices to where only the floor is heard. */
export function trimEdges(
  gap: BlockRun,
  count: number,
  { isSound, contrastDb }: GapLevels,
): BlockRun {
  const back = contrastDb >= clearDb ? heldOn : 0
  const mostOf = (perDb: number): number => Math.min(longestRinging, contrastDb * perDb)
  const behind = { back, most: mostOf(ringing.behind) }
  const before = { back: 0, most: mostOf(ringing.before) }
  const from = gap.from === 0 ? 0 : walk(isSound, gap.from, 1, behind)
  const to = gap.to === count ? count : walk(isSound, gap.to - 1, -1, before) + 1
  return { from, to: Math.max(from, to) }
}

async function limitOf(gap: BlockRun, { smoothed, voiceDb }: Band) {
  if (voiceDb < inaudibleDb) return { power: Number.POSITIVE_INFINITY, contrastDb: 0 }
  const floorDb = await percentileDb(smoothed.subarray(gap.from, gap.to), floorShare)
  const contrastDb = voiceDb - floorDb
  const byContrast = Math.min(8, Math.max(2.5, contrastDb * 0.2))
  const byUnrest = Math.min((await noiseTopDb(gap, smoothed)) - floorDb + 0.5, contrastDb * 0.6)
  const overFloor = floorDb + Math.max(byContrast, byUnrest)
  return { power: powerOf(Math.max(overFloor, voiceDb - speechRangeDb, inaudibleDb)), contrastDb }
}

/** How high noise rises where no voice reaches: drops of rain are not ends of words. */
async function noiseTopDb({ from, to }: BlockRun, smoothed: Float32Array): Promise<number> {
  if (to - from < 2 * voiceReach + leastNoise) return Number.NEGATIVE_INFINITY
  return percentileDb(smoothed.subarray(from + voiceReach, to - voiceReach), 0.95)
}

/**
 * Finds, in one direction, the first block from which on only the floor is heard; starts earlier if there is no sound
 * at the beginning.
 */
function walk(
  isSound: (block: number) => boolean,
  begin: number,
  step: 1 | -1,
  { back, most }: { back: number; most: number },
): number {
  let edge = begin
  if (!isSound(begin)) {
    while ((begin - edge) * step < back && !isSound(edge - step)) edge -= step
    return edge
  }
  for (let i = 0, quiet = 0; i < most && quiet < dip; i++) {
    const block = begin + i * step
    quiet = isSound(block) ? 0 : quiet + 1
    if (quiet === 0) edge = block + step
  }
  return edge
}

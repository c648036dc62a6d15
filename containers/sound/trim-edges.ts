import { blocksPerSecond } from './block-meter.ts'
import { percentileDb, powerOf } from './levels.ts'
import type { Run } from './runs.ts'

/** One band of the sound, smoothed over 50 ms, and how loud the voice is in it. */
export type Band = { readonly smoothed: Float32Array; readonly voiceDb: number }

/**
 * Words end softly and rooms ring: behind a voice, and for less before it, what is over the floor belongs to it. In a
 * room that rings for a second it has gone under the floor after this time for each decibel between the two.
 */
const ringing = { behind: blocksPerSecond / 60, before: blocksPerSecond / 120 }
const longestRinging = 0.5 * blocksPerSecond
/** What is over the floor again within this time was only a dip. */
const dip = 0.06 * blocksPerSecond
/** The detector holds on for longer than a word: where the level is clear, the pause begins this much earlier. */
const heldOn = 0.12 * blocksPerSecond
const clearDb = 20

/** Of the blocks of a gap between voices, this share is no louder than its floor. */
const floorShare = 0.5
/** A band under this holds nothing but rounding errors. */
const inaudibleDb = -75
/** Into a gap, at most … */
const voiceReach = 0.4 * blocksPerSecond
/** … and how much has to be left to tell what noise does. */
const leastNoise = 0.3 * blocksPerSecond
/** The softest parts of speech under its mean. */
const speechRangeDb = 35

/** What can be told of a gap by level, in bands, each against its own floor: an "s" is heard under the rumble of a room. */
export type GapLevels = {
  /** Whether a block is over the floor of any band. */
  readonly isSound: (block: number) => boolean
  /** How far the voice is over the floor, in the band where it is most. */
  readonly contrastDb: number
}

export async function levelsOf(gap: Run, bands: readonly Band[]): Promise<GapLevels> {
  const limits = await Promise.all(bands.map(async (band) => limitOf(gap, band)))
  return {
    isSound: (block) =>
      bands.some(({ smoothed }, i) => (smoothed[block] ?? 0) > (limits[i]?.power ?? Infinity)),
    contrastDb: Math.max(...limits.map((limit) => limit.contrastDb)),
  }
}

/** Moves the ends of a gap between voices to where there is only the floor. */
export function trimEdges(gap: Run, count: number, { isSound, contrastDb }: GapLevels): Run {
  const back = contrastDb >= clearDb ? heldOn : 0
  const mostOf = (perDb: number): number => Math.min(longestRinging, contrastDb * perDb)
  const behind = { back, most: mostOf(ringing.behind) }
  const before = { back: 0, most: mostOf(ringing.before) }
  const from = gap.from === 0 ? 0 : walk(isSound, gap.from, 1, behind)
  const to = gap.to === count ? count : walk(isSound, gap.to - 1, -1, before) + 1
  return { from, to: Math.max(from, to) }
}

async function limitOf(gap: Run, { smoothed, voiceDb }: Band) {
  if (voiceDb < inaudibleDb) return { power: Number.POSITIVE_INFINITY, contrastDb: 0 }
  const floorDb = await percentileDb(smoothed.subarray(gap.from, gap.to), floorShare)
  const contrastDb = voiceDb - floorDb
  const byContrast = Math.min(8, Math.max(2.5, contrastDb * 0.2))
  const byUnrest = Math.min((await noiseTopDb(gap, smoothed)) - floorDb + 0.5, contrastDb * 0.6)
  const overFloor = floorDb + Math.max(byContrast, byUnrest)
  return { power: powerOf(Math.max(overFloor, voiceDb - speechRangeDb, inaudibleDb)), contrastDb }
}

/** How high noise rises where no voice reaches: drops of rain are no ends of words. */
async function noiseTopDb({ from, to }: Run, smoothed: Float32Array): Promise<number> {
  if (to - from < 2 * voiceReach + leastNoise) return Number.NEGATIVE_INFINITY
  return percentileDb(smoothed.subarray(from + voiceReach, to - voiceReach), 0.95)
}

/** The first block from which on there is only the floor, found in one direction; earlier when there is none to begin with. */
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

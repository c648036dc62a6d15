import type { HeardBlocks } from './heard-blocks.ts'
import { blocksPerSecond } from '../level/block-meter.ts'
import { findBeat } from '../music/find-beat.ts'
import { WorkInTurns } from '../dsp/in-turns.ts'
import { type VoiceRuns, findVoices } from './find-voices.ts'
import { decibels, percentileDb, powerOf, smooth } from '../level/levels.ts'
import { between, merged } from '../../numbers/spans.ts'
import { runsOf, type BlockRun } from '../dsp/runs.ts'
import { type Band, type GapLevels, gapLevelsOf, trimEdges } from './trim-edges.ts'
import { integratedLoudness, loudnessOfPower } from '../level/loudness.ts'

/** In blocks. */
export type Pauses = {
  readonly kind: 'between-voices' | 'without-voices' | 'all-silent'
  readonly pauses: readonly BlockRun[]
}

/** Finds the music in some stretches. Only called for stretches that are loud enough to be meant for the listener. */
export type MusicIn = (stretches: readonly BlockRun[]) => Promise<readonly BlockRun[]>

/**
 * This much of a pause stays on either side, for a breath and for sounds too soft to be measured. It is less after a
 * voice, because the detector already reports the end of a voice late.
 */
const padding = { behind: 0.15 * blocksPerSecond, before: 0.2 * blocksPerSecond }
/** A shorter cut would not save enough time to be worth the jump in the picture. */
export const leastCutSeconds = 0.3
const leastCut = leastCutSeconds * blocksPerSecond

/**
 * A pause is where nobody speaks and nothing else is meant to be heard: no music within 15 dB of the voice, and no sound
 * that is as loud as the voice and stands out. In a recording without any voice, only silence is a pause.
 */
export async function findPauses(heard: HeardBlocks, musicIn: MusicIn): Promise<Pauses> {
  const { voice } = heard
  const voices = voice && (await findVoices(heard, voice))
  if (!voices) {
    const silent = await findSilence(heard.loudness)
    if (!silent) return { kind: 'all-silent', pauses: [] }
    return { kind: 'without-voices', pauses: padded(silent, heard.count) }
  }
  const bands = await Promise.all(
    heard.bands.map(async (band, i): Promise<Band> => {
      return { smoothed: await smooth(band, bandReach), voiceDb: voices.bandsDb[i] ?? -Infinity }
    }),
  )
  const loudness = await smooth(heard.loudness, loudnessReach)
  const gaps: Gap[] = []
  const turns = new WorkInTurns()
  for (const gap of between(voices.runs, { from: 0, to: heard.count })) {
    if (gap.to - gap.from < leastCut) continue
    await turns.before(gap.to - gap.from)
    const levels = await gapLevelsOf(gap, bands)
    const pause = trimEdges(gap, heard.count, levels)
    const soft = await softVoices(pause, voice, levels)
    gaps.push({ pause, soft, ...(await loudIn(pause, loudness, voices)) })
  }
  // All gaps are searched together, because music that goes on behind a voice is one piece.
  const loud = gaps.flatMap((gap) => gap.loud)
  const played = merged([...(await musicIn(loud)), ...(await findBeat(loud, heard.bands))], 0)
  const music = loudEnough(played, heard.loudness, voices.loudnessDb - musicRangeDb)
  return { kind: 'between-voices', pauses: restsOf(gaps, music, heard.count) }
}

type Gap = {
  readonly pause: BlockRun
  readonly soft: readonly BlockRun[]
  /** Parts that may be music meant to be heard. */
  readonly loud: readonly BlockRun[]
  readonly events: readonly BlockRun[]
}

/** The parts of the gaps that can be cut. */
function restsOf(gaps: readonly Gap[], music: readonly BlockRun[], count: number): BlockRun[] {
  const withMusic = gaps.map((gap) => {
    const { from, to } = gap.pause
    return { ...gap, music: music.filter((run) => run.to > from && run.from < to) }
  })
  return withMusic.flatMap((gap, i) => {
    if (isPartOfMusic(gap, [withMusic[i - 1], withMusic[i + 1]])) return []
    const kept = merged([...gap.soft, ...gap.events, ...gap.music], 0)
    return padded(between(kept, gap.pause), count)
  })
}

/** Keeps the music that reaches this level, averaged over all music near it. */
function loudEnough(
  music: readonly BlockRun[],
  loudness: Float32Array,
  leastDb: number,
): BlockRun[] {
  const powers = music.map(({ from, to }) =>
    loudness.subarray(from, to).reduce((sum, power) => sum + power, 0),
  )
  return music.filter((run) => {
    let [power, blocks] = [0, 0]
    for (const [i, { from, to }] of music.entries()) {
      if (from - run.to > sameMusic || run.from - to > sameMusic) continue
      power += powers[i] ?? 0
      blocks += to - from
    }
    return decibels(power / blocks) >= leastDb
  })
}

/** Music cannot be recognised in less than this. */
const leastMusic = blocksPerSecond
/** Music that resumes within this time is the same piece. */
const sameMusic = 20 * blocksPerSecond

type GapWithMusic = Gap & { readonly music: readonly BlockRun[] }

/**
 * A gap with no music of its own may still be part of a piece: if it is too short to recognise music in it, when one of
 * its neighbours has music; otherwise when both have.
 */
function isPartOfMusic(gap: GapWithMusic, neighbours: readonly (GapWithMusic | undefined)[]) {
  const { from, to } = gap.pause
  if (gap.loud.length === 0) return false
  const musical = neighbours.filter(
    (other) =>
      other !== undefined &&
      other.music.length > 0 &&
      from - other.pause.to < sameMusic &&
      other.pause.from - to < sameMusic,
  )
  return musical.length >= (to - from < leastMusic ? 1 : 2)
}

/** Averaged over 50 ms, steady noise wavers by less than 1 dB. */
const bandReach = 2
/** Averaged over 200 ms; a shorter sound counts as softer, in proportion to its length. */
const loudnessReach = 10

/** Leaves a little of each pause, but nothing at the very beginning and end of the recording. */
function padded(runs: readonly BlockRun[], count: number): BlockRun[] {
  return runs
    .map(({ from, to }) => ({
      from: from === 0 ? 0 : from + padding.behind,
      to: to === count ? count : to - padding.before,
    }))
    .filter(({ from, to }) => to - from >= leastCut)
}

/** Whispers, mumbling and final consonants: the detector hardly takes them for a voice, but they rise above the noise floor. */
const soft = { probability: 0.2, run: 0.05 * blocksPerSecond, nearness: 0.05 * blocksPerSecond }

async function softVoices(
  pause: BlockRun,
  voice: Float32Array,
  { isSound }: GapLevels,
): Promise<BlockRun[]> {
  const runs = await runsOf(
    pause,
    (block) => (voice[block] ?? 0) >= soft.probability && isSound(block),
  )
  return merged(runs, soft.nearness).filter(({ from, to }) => to - from >= soft.run)
}

/** A piece whose mean is at most this much softer than the voice is meant to be heard; softer music is background. */
const musicRangeDb = 19
/** Rests and endings within such a piece may be this much softer than the voice. */
const softestMusicDb = 25
/** A sound that is nearly as loud as the voice … */
const eventRangeDb = 6
/** … and stands out by this much from its surroundings is meant to be heard too: laughter, applause, something that falls. */
const eventContrastDb = 12
/** The floor of a pause is the level that this share of it does not exceed. */
const floorShare = 0.2
/** Loud parts this near to each other are joined, because music is quieter between two beats. */
const bridge = 0.5 * blocksPerSecond

/** Finds sound in a pause that may be meant to be heard. */
async function loudIn(
  pause: BlockRun,
  loudness: Float32Array,
  voices: VoiceRuns,
): Promise<Pick<Gap, 'loud' | 'events'>> {
  // Close to a voice, the average includes the voice itself.
  const inner = { from: pause.from + loudnessReach, to: pause.to - loudnessReach }
  if (inner.from >= inner.to) return { loud: [], events: [] }
  const over = async (db: number): Promise<BlockRun[]> => {
    const least = powerOf(db)
    return runsOf(inner, (block) => (loudness[block] ?? 0) >= least)
  }
  const loud = merged(await over(voices.loudnessDb - softestMusicDb), bridge)
  if (loud.length === 0) return { loud, events: [] }
  const floorDb = await percentileDb(loudness.subarray(inner.from, inner.to), floorShare)
  const events = await over(Math.max(voices.loudnessDb - eventRangeDb, floorDb + eventContrastDb))
  return { loud, events }
}

/** A block is silent if it is this far below the loudness of the whole recording … */
const rangeDb = 15
/** … and below this loudness. */
const mostLoudness = -50
/** Averaged over 100 ms, in which a hum of 50 Hz has a constant level. */
const smoothingReach = 0.05 * blocksPerSecond

/** Finds silence by level alone, from K-weighted powers of 10 ms each; undefined if the whole recording is silent. */
async function findSilence(loudness: Float32Array): Promise<BlockRun[] | undefined> {
  const whole = await integratedLoudness(loudness)
  if (!Number.isFinite(whole)) return undefined
  const limit = Math.min(mostLoudness, whole - rangeDb)
  const powers = await smooth(loudness, smoothingReach)
  const all = { from: 0, to: powers.length }
  return runsOf(all, (block) => loudnessOfPower(powers[block] ?? 0) < limit)
}

import { blocksPerSecond } from './block-meter.ts'
import { findBeat } from './find-beat.ts'
import { WorkInTurns } from './in-turns.ts'
import { findSilence } from './find-silence.ts'
import { findVoices, type Voices } from './find-voices.ts'
import { decibels, percentileDb, powerOf, smooth } from './levels.ts'
import { between, merged, runsOf, type Run } from './runs.ts'
import { levelsOf, trimEdges, type Band, type GapLevels } from './trim-edges.ts'

/** What is known of every 10 ms of the raw sound. Powers are mean squares. */
export type HeardBlocks = {
  readonly count: number
  /** How likely it is that somebody speaks, 0 … 1; undefined when the detector failed. */
  readonly voice: Float32Array | undefined
  /** K-weighted. */
  readonly loudness: Float32Array
  /** Of the voice's own band, the vowels' and the sibilants'. */
  readonly bands: readonly Float32Array[]
}

/** In blocks. */
export type Pauses = {
  readonly kind: 'between-voices' | 'without-voices' | 'all-silent'
  readonly pauses: readonly Run[]
}

/** Which parts of some stretches are music; asked only of what is loud enough to be meant. */
export type MusicIn = (stretches: readonly Run[]) => Promise<readonly Run[]>

/** Left of a pause: a breath, and what is softer than any measure. The detector lets go of a voice late as it is. */
const padding = { behind: 0.15 * blocksPerSecond, before: 0.2 * blocksPerSecond }
/** A jump for less is for nothing. */
export const leastCutSeconds = 0.3
const leastCut = leastCutSeconds * blocksPerSecond

/**
 * A pause is where nobody speaks and nothing else is meant to be heard: no music within 15 dB of the voice, nothing that
 * is as loud as the voice and stands out. Where there is no voice at all, only what is silent is a pause.
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
    const levels = await levelsOf(gap, bands)
    const pause = trimEdges(gap, heard.count, levels)
    const soft = await softVoices(pause, voice, levels)
    gaps.push({ pause, soft, ...(await loudIn(pause, loudness, voices)) })
  }
  // All at once: what plays on behind a voice is one piece.
  const loud = gaps.flatMap((gap) => gap.loud)
  const played = merged([...(await musicIn(loud)), ...(await findBeat(loud, heard.bands))], 0)
  const music = loudEnough(played, heard.loudness, voices.loudnessDb - musicRangeDb)
  return { kind: 'between-voices', pauses: restsOf(gaps, music, heard.count) }
}

type Gap = {
  readonly pause: Run
  readonly soft: readonly Run[]
  /** What may be music that is meant to be heard. */
  readonly loud: readonly Run[]
  readonly events: readonly Run[]
}

/** What is left of the gaps to be cut. */
function restsOf(gaps: readonly Gap[], music: readonly Run[], count: number): Run[] {
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

/** Of the music that plays near each other, in the mean. */
function loudEnough(music: readonly Run[], loudness: Float32Array, leastDb: number): Run[] {
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

/** Shorter than this, music cannot be told. */
const leastMusic = blocksPerSecond
/** Within this time the same piece plays on. */
const sameMusic = 20 * blocksPerSecond

type GapWithMusic = Gap & { readonly music: readonly Run[] }

/** A gap that is too short to tell is part of the music in the one before or behind it, any gap of that in both. */
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

/** 50 ms: steady noise then wavers by less than 1 dB. */
const bandReach = 2
/** 200 ms: what is shorter is no louder than it is long. */
const loudnessReach = 10

/** Nothing is left at the beginning and the end of all. */
function padded(runs: readonly Run[], count: number): Run[] {
  return runs
    .map(({ from, to }) => ({
      from: from === 0 ? 0 : from + padding.behind,
      to: to === count ? count : to - padding.before,
    }))
    .filter(({ from, to }) => to - from >= leastCut)
}

/** Whispers, mumbling and the last consonant: hardly a voice to the detector, but over the floor. */
const soft = { probability: 0.2, run: 0.05 * blocksPerSecond, nearness: 0.05 * blocksPerSecond }

async function softVoices(pause: Run, voice: Float32Array, { isSound }: GapLevels): Promise<Run[]> {
  const runs = await runsOf(
    pause,
    (block) => (voice[block] ?? 0) >= soft.probability && isSound(block),
  )
  return merged(runs, soft.nearness).filter(({ from, to }) => to - from >= soft.run)
}

/** Music this much softer than the voice, in the mean of a piece, is meant to be heard; what is softer is behind it. */
const musicRangeDb = 19
/** Its rests and ends are softer. */
const softestMusicDb = 25
/** What is nearly as loud as the voice … */
const eventRangeDb = 6
/** … and stands out of its surroundings is meant too: laughter, applause, something that falls. */
const eventContrastDb = 12
/** Of a pause, this share is no louder than its floor. */
const floorShare = 0.2
/** Between two beats it is quieter. */
const bridge = 0.5 * blocksPerSecond

/** What may be meant to be heard, though nobody speaks. */
async function loudIn(
  pause: Run,
  loudness: Float32Array,
  voices: Voices,
): Promise<Pick<Gap, 'loud' | 'events'>> {
  // Nearer to a voice the mean is that of the voice.
  const inner = { from: pause.from + loudnessReach, to: pause.to - loudnessReach }
  if (inner.from >= inner.to) return { loud: [], events: [] }
  const over = async (db: number): Promise<Run[]> => {
    const least = powerOf(db)
    return runsOf(inner, (block) => (loudness[block] ?? 0) >= least)
  }
  const loud = merged(await over(voices.loudnessDb - softestMusicDb), bridge)
  if (loud.length === 0) return { loud, events: [] }
  const floorDb = await percentileDb(loudness.subarray(inner.from, inner.to), floorShare)
  const events = await over(Math.max(voices.loudnessDb - eventRangeDb, floorDb + eventContrastDb))
  return { loud, events }
}

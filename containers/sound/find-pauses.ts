import { blocksPerSecond } from './block-meter.ts'
import { WorkInTurns } from './in-turns.ts'
import { findSilence } from './find-silence.ts'
import { findVoices, type Voices } from './find-voices.ts'
import { percentileDb, powerOf, smooth } from './levels.ts'
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

/** Which parts of a stretch are music; asked only of what is loud enough to be meant. */
export type MusicIn = (stretch: Run) => Promise<readonly Run[]>

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
    const meant = await meantIn(pause, { loudness, voices, musicIn })
    const kept = merged([...soft, ...meant.runs], 0)
    gaps.push({ ...meant, pause, rest: padded(between(kept, pause), heard.count) })
  }
  const pauses = gaps.flatMap((gap, i) =>
    isPartOfMusic(gap, [gaps[i - 1], gaps[i + 1]]) ? [] : gap.rest,
  )
  return { kind: 'between-voices', pauses }
}

type Gap = {
  readonly pause: Run
  /** What is left of it to be cut. */
  readonly rest: readonly Run[]
  readonly isLoud: boolean
  readonly hasMusic: boolean
}

/** Shorter than this, music cannot be told. */
const leastMusic = blocksPerSecond
/** Within this time the same piece plays on. */
const sameMusic = 10 * blocksPerSecond

/** A gap too short to tell is part of the music that plays in the one before or behind it. */
function isPartOfMusic(gap: Gap, neighbours: readonly (Gap | undefined)[]): boolean {
  const { from, to } = gap.pause
  if (!gap.isLoud || to - from >= leastMusic) return false
  return neighbours.some(
    (other) =>
      other?.hasMusic && from - other.pause.to < sameMusic && other.pause.from - to < sameMusic,
  )
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

/** Music this much softer than the voice is meant to be heard; what is softer is behind it. */
const musicRangeDb = 15
/** What is nearly as loud as the voice … */
const eventRangeDb = 6
/** … and stands out of its surroundings is meant too: laughter, applause, something that falls. */
const eventContrastDb = 12
/** Of a pause, this share is no louder than its floor. */
const floorShare = 0.2
/** Between two beats it is quieter. */
const bridge = 0.5 * blocksPerSecond

type Meant = { readonly runs: readonly Run[] } & Pick<Gap, 'isLoud' | 'hasMusic'>
type Search = { loudness: Float32Array; voices: Voices; musicIn: MusicIn }

async function meantIn(pause: Run, { loudness, voices, musicIn }: Search): Promise<Meant> {
  // Nearer to a voice the mean is that of the voice.
  const inner = { from: pause.from + loudnessReach, to: pause.to - loudnessReach }
  if (inner.from >= inner.to) return { runs: [], isLoud: false, hasMusic: false }
  const over = async (db: number): Promise<Run[]> => {
    const least = powerOf(db)
    return runsOf(inner, (block) => (loudness[block] ?? 0) >= least)
  }
  const loud = merged(await over(voices.loudnessDb - musicRangeDb), bridge)
  if (loud.length === 0) return { runs: [], isLoud: false, hasMusic: false }
  const floorDb = await percentileDb(loudness.subarray(inner.from, inner.to), floorShare)
  const events = await over(Math.max(voices.loudnessDb - eventRangeDb, floorDb + eventContrastDb))
  const music: Run[] = []
  for (const stretch of loud) music.push(...(await musicIn(stretch)))
  return { runs: [...events, ...music], isLoud: true, hasMusic: music.length > 0 }
}

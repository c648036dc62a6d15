import { blocksPerSecond, type SoundBlocks } from './block-meter.ts'
import { decibels } from './levels.ts'
import { merged } from '../../numbers/spans.ts'
import type { BlockRun } from '../dsp/runs.ts'
import type { VoiceMap } from '../pauses/voice-map.ts'

/** Blocks of an element's own sound, from its start on, in which it is lowered. */
export type DuckedStretch = BlockRun & { readonly byDb: number }

export type DuckRequest = {
  readonly voices: VoiceMap
  /** The sound to lower, as loud as it would be heard. */
  readonly music: Pick<SoundBlocks, 'count' | 'loudness'>
  /** The block of the finished timeline with which the sound begins. */
  readonly startBlock: number
  /** By how much the voices are raised later. */
  readonly voiceGainDb: number
  /** A fixed number of decibels; undefined to keep speech clear. */
  readonly amountDb: number | undefined
}

/** Sound that came back for a shorter time than this would be heard as pumping. */
const leastRest = blocksPerSecond
/** Before a word, the sound is down for a moment, so that the word does not begin in it. */
const lead = 0.1 * blocksPerSecond

/** Finds where a sound makes way for voices, and by how much. Pauses between words change nothing. */
export function duckStretches(request: DuckRequest): DuckedStretch[] {
  const { voices, music, startBlock } = request
  return merged(voices.runs, leastRest).flatMap((spoken): DuckedStretch[] => {
    const from = Math.max(0, spoken.from - startBlock - lead)
    const to = Math.min(music.count, spoken.to - startBlock)
    if (from >= to) return []
    return [{ from, to, byDb: request.amountDb ?? neededDb(request, spoken, { from, to }) }]
  })
}

/** How far speech must be above the sound under it: more than the 15 dB that everybody understands, for soft words. */
const speechOverDb = 20
/** The sound always goes down at least this much, so that a listener notices that somebody begins to speak. */
const leastDb = 6
const mostDb = 40

function neededDb(
  { voices, music, voiceGainDb }: DuckRequest,
  spoken: BlockRun,
  heard: BlockRun,
): number {
  const speechDb = speechLevel(voices, spoken) + voiceGainDb
  const needed = loudestDb(music.loudness, heard) - (speechDb - speechOverDb)
  return Math.min(mostDb, Math.max(leastDb, needed))
}

/** The mean of the blocks in which somebody speaks; the pauses between them do not count. */
function speechLevel({ runs, loudness }: VoiceMap, whole: BlockRun): number {
  let [sum, count] = [0, 0]
  for (const { from, to } of runs) {
    if (from < whole.from || to > whole.to) continue
    for (let block = from; block < to; block++) sum += loudness[block] ?? 0
    count += to - from
  }
  return decibels(sum / Math.max(1, count))
}

/** Music swells within a sentence; its perceived loudness is that of about a second. */
const window = blocksPerSecond

function loudestDb(powers: Float32Array, { from, to }: BlockRun): number {
  const length = Math.min(window, to - from)
  let sum = 0
  let loudest = 0
  for (let block = from; block < to; block++) {
    sum += powers[block] ?? 0
    if (block - from >= length) sum -= powers[block - length] ?? 0
    loudest = Math.max(loudest, sum)
  }
  return decibels(loudest / length)
}

import { blocksPerSecond } from '../../sound/level/block-meter.ts'
import { decibels, percentileDb, powerOf } from '../../sound/level/levels.ts'
import { between } from '../../numbers/spans.ts'
import { runsOf, type BlockRun } from '../../sound/dsp/runs.ts'
import type { Word } from '../../timeline/speech.ts'
import { beliefIn, sureWord } from './believed-word.ts'
import { wordsBetween } from './words-between.ts'

/** The seconds that a filler lasts. One that was written may be shorter. */
const lengths = { least: 0.2, leastWritten: 0.1, most: 1.2 }
/** The shortest pause on both sides of it, in seconds. */
export const leastPause = 0.1
/** A pause is this much softer than the words … */
const pauseDb = 22
/** … in noise less, as long as it is this much louder than the noise. */
const overNoiseDb = 8
/** With less contrast between words and pauses, soft consonants would be mistaken for pauses. */
const leastContrastDb = 16
/** The floor of a recording is the level that this share of it does not exceed. */
const floorShare = 0.1

/** A word that overlaps the sound by this much may be it: times of words are approximate. */
const leastShared = 0.05
/** No word contains a pause this long. If the recogniser's word continues beyond it, it really ended before. */
const endsWords = 0.14
/** A speaker who hesitates has spoken within this time, or speaks on within it. */
const farthestWord = 2

/** What the sound tells about fillers, in blocks of the joined timeline. */
export type FillerSounds = {
  /** The fillers that the recogniser did not write. */
  readonly unwritten: readonly BlockRun[]
  /** The fillers that it wrote; undefined if its text is believed anyway. */
  readonly written?: readonly BlockRun[] | undefined
}

/**
 * Sounds from one pause to the next that no word explains, in blocks: nothing was written there, a word of which the
 * recogniser is unsure, or “ah”, which it writes for “uh”.
 */
export async function unexplainedSounds(
  loudness: Float32Array,
  words: readonly Word[],
): Promise<BlockRun[]> {
  const sounds = await soundsBetweenPauses(loudness, words, lengths.least)
  return sounds
    .filter(({ from, to, quietFrom }) => {
      const sound = { from: inSeconds(from), to: inSeconds(to), quietFrom: inSeconds(quietFrom) }
      const own = wordsBetween(words, sound)
      return isBetweenWords(words, sound) && !own.some((word) => explains(word, sound))
    })
    .map(({ from, to }) => ({ from, to }))
}

/** Sounds from one pause to the next for which a filler is written, and nothing else. */
export async function fillersAlone(
  loudness: Float32Array,
  words: readonly Word[],
): Promise<BlockRun[]> {
  const written = words.filter((word) => isWrittenFiller(word) || isWrittenWord(word))
  if (!written.some(isWrittenFiller)) return []
  const sounds = await soundsBetweenPauses(loudness, words, lengths.leastWritten)
  return sounds.flatMap(({ from, to }) => {
    const own = wordsBetween(written, { from: inSeconds(from), to: inSeconds(to) })
    const isFiller = own.some(isWrittenFiller)
    const isMore = own.some(
      (word) => isWrittenWord(word) && shared(word, { from, to }) >= leastShared,
    )
    return isFiller && !isMore ? [{ from, to }] : []
  })
}

const isWrittenFiller = (word: Word): boolean => beliefIn(word) === 'filler'
const isWrittenWord = (word: Word): boolean => beliefIn(word) === 'word'

/** For how many seconds a word is spoken within a sound, according to its times. */
export function shared(
  { startTime, endTime }: Pick<Word, 'startTime' | 'endTime'>,
  { from, to }: BlockRun,
): number {
  return Math.min(endTime, inSeconds(to)) - Math.max(startTime, inSeconds(from))
}

const inSeconds = (blocks: number): number => blocks / blocksPerSecond

/** A sound, and where the pause before it begins. */
type SoundApart = BlockRun & { readonly quietFrom: number }

function isBetweenWords(words: readonly Word[], { from, to }: SoundApart): boolean {
  return wordsBetween(words, { from: from - farthestWord, to: to + farthestWord }).length > 0
}

/** A filler that was written is found as a word. */
function explains(word: Word, { from, to, quietFrom }: SoundApart): boolean {
  if (beliefIn(word) === 'doubt') return false
  const { startTime, endTime } = word
  const hasEnded = from - quietFrom >= endsWords && startTime < quietFrom
  return !hasEnded && Math.min(endTime, to) - Math.max(startTime, from) >= leastShared
}

async function soundsBetweenPauses(
  loudness: Float32Array,
  words: readonly Word[],
  shortest: number,
): Promise<SoundApart[]> {
  const loudestDb = speechDb(loudness, words)
  const floorDb = await percentileDb(loudness, floorShare)
  const leastDb = Math.max(loudestDb - pauseDb, floorDb + overNoiseDb)
  if (leastDb > loudestDb - leastContrastDb) return []
  const least = powerOf(leastDb)
  const whole = { from: 0, to: loudness.length }
  const sounds = await runsOf(whole, (block) => (loudness[block] ?? 0) >= least)
  const pauses = between(sounds, whole).filter(
    ({ from, to }) => to - from >= leastPause * blocksPerSecond,
  )
  return pauses.slice(1).flatMap((pause, i) => {
    const { from: quietFrom = 0, to: from = 0 } = pauses[i] ?? {}
    const seconds = inSeconds(pause.from - from)
    const isMeant = seconds >= shortest && seconds <= lengths.most
    return isMeant ? [{ from, to: pause.from, quietFrom }] : []
  })
}

/** The mean level of everything that was written with certainty. */
function speechDb(loudness: Float32Array, words: readonly Word[]): number {
  let [sum, count] = [0, 0]
  for (const { startTime, endTime, confidence = 1 } of words) {
    if (confidence < sureWord) continue
    const last = Math.min(loudness.length, Math.round(endTime * blocksPerSecond))
    for (let block = Math.round(startTime * blocksPerSecond); block < last; block++) {
      sum += loudness[block] ?? 0
      count += 1
    }
  }
  return decibels(sum / Math.max(1, count))
}

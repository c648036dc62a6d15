import { inputFile, streamOf, type Stream } from '../graph/filter-graph.ts'
import type { Removed } from '../timeline/list-cuts.ts'
import { channels, sampleRate } from './pcm.ts'
import type { SpeechSound } from './speech-sound.ts'

/** The sound of the whole timeline, decoded once into the job folder: cleaned, cut and measured. */
export type PreparedSound = {
  /** Raw 32-bit floats, 48 kHz stereo; the name inside the job folder. */
  readonly path: string
  /** Of before any of that; undefined when neither pauses nor words were asked for. */
  readonly speech: SpeechSound | undefined
  /** The parts that were cut out of it, and are to be cut out of the picture. */
  readonly removed: Removed
  /** Of what remains, after noise removal; undefined when it is silent. */
  readonly loudness: number | undefined
  /** To be applied, when a loudness was asked for. */
  readonly gainDb: number | undefined
  readonly hasNoiseRemoved: boolean
  /** More than two channels were mixed into two: the sum may be too loud. */
  readonly isDownmix: boolean
  readonly warnings: readonly string[]
}

const rawFormat = ['-ar', String(sampleRate), '-ac', String(channels)]

export function openSound(sound: Pick<PreparedSound, 'path'>): Stream<'audio'> {
  return streamOf(inputFile(sound.path, 'f32le', rawFormat), 'audio', 0)
}

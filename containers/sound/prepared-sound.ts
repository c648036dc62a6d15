import { inputFile, streamOf, type Stream } from '../graph/filter-graph.ts'
import type { Removed } from '../timeline/list-cuts.ts'
import { channels, workedRate } from './dsp/pcm.ts'
import type { SpeechSound } from './speech-sound.ts'
import type { VoiceMap } from './pauses/voice-map.ts'

/** The sound of the whole timeline, decoded once into the job folder: cleaned, cut and measured. */
export type PreparedSound = {
  /** Raw 32-bit floats, 48 kHz stereo; the name inside the job folder. */
  readonly path: string
  /** The speech sound before all changes; undefined if neither pauses nor words were asked for. */
  readonly speech: SpeechSound | undefined
  /** Where somebody speaks in what the cuts leave; undefined if nobody does, or if nothing depends on it. */
  readonly voices: VoiceMap | undefined
  /** The parts that were cut out of it and must be cut out of the picture too. */
  readonly removed: Removed
  /** The loudness of what remains after noise removal; undefined if it is silent. */
  readonly loudness: number | undefined
  /** The gain to apply, if a loudness was asked for. */
  readonly gainDb: number | undefined
  readonly hasNoiseRemoved: boolean
  /** Nothing had to be removed, cut or raised: the result has the sound of its one source as it is stored there. */
  readonly isUnchanged: boolean
  readonly warnings: readonly string[]
}

const rawFormat = ['-ar', String(workedRate), '-ac', String(channels)]

export function openSound(sound: Pick<PreparedSound, 'path'>): Stream<'audio'> {
  return streamOf(inputFile(sound.path, 'f32le', rawFormat), 'audio', 0)
}

import { connect, pipeAll, type Stream } from '../graph/filter-graph.ts'
import type { VoiceActivity } from './voice-activity.ts'

/** What speech models are made for. */
export const speechRate = 16_000

/** The raw sound of the joined timeline, before cuts and cleaning, as speech models want it. */
export type SpeechSound = {
  /** Raw 32-bit floats, 16 kHz mono; the name inside the job folder. */
  readonly path: string
  readonly samples: number
  /** Present when pauses were asked about, and the detector did not fail. */
  readonly activity: VoiceActivity | undefined
}

export const speechSoundPath = 'raw-speech.f32'

/** Splits a 48 kHz stereo sound: as it is, and as speech models want it. */
export function splitSpeech(sound: Stream<'audio'>): [Stream<'audio'>, Stream<'audio'>] {
  const [whole, spoken] = connect('asplit', [sound], ['audio', 'audio'])
  return [whole, asSpeech(spoken)]
}

/** A 48 kHz stereo sound as speech models want it. */
export function asSpeech(sound: Stream<'audio'>): Stream<'audio'> {
  return pipeAll(sound, [
    ['pan', { args: 'mono|c0=0.5*c0+0.5*c1' }],
    ['aresample', { sample_rate: speechRate }],
  ])
}

/** What it takes of the disk. */
export function speechSoundBytes(seconds: number): number {
  return Math.ceil(seconds * speechRate) * Float32Array.BYTES_PER_ELEMENT
}

import { connect, pipeAll, type Stream } from '../graph/filter-graph.ts'
import type { VoiceActivity } from './pauses/voice-activity.ts'

/** The sampling rate that speech models need. */
export const speechRate = 16_000

export function speechSamples(seconds: number): number {
  return Math.round(seconds * speechRate)
}

/** The raw sound of the joined timeline, before cuts and cleaning, in the form that speech models need. */
export type SpeechSound = {
  /** Raw 32-bit floats, 16 kHz mono; the name inside the job folder. */
  readonly path: string
  readonly samples: number
  /** Present if it has to be known where somebody speaks, and the detector did not fail. */
  readonly activity: VoiceActivity | undefined
}

export const speechSoundPath = 'raw-speech.f32'

/** Splits a 48 kHz stereo sound into the unchanged sound and the form that speech models need. */
export function splitSpeech(sound: Stream<'audio'>): [Stream<'audio'>, Stream<'audio'>] {
  const [whole, spoken] = connect('asplit', [sound], ['audio', 'audio'])
  return [whole, asSpeech(spoken)]
}

/** Converts a 48 kHz stereo sound to the form that speech models need. */
export function asSpeech(sound: Stream<'audio'>): Stream<'audio'> {
  return pipeAll(sound, [
    ['pan', { args: 'mono|c0=0.5*c0+0.5*c1' }],
    ['aresample', { sample_rate: speechRate }],
  ])
}

/** How much disk space it takes. */
export function speechSoundBytes(seconds: number): number {
  return Math.ceil(seconds * speechRate) * Float32Array.BYTES_PER_ELEMENT
}

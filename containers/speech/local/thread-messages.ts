import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import type { SpeechStretch } from './find-speech.ts'
import type { HeardPiece } from './recogniser.ts'
import type { Divided, LocalTranscript, Spoken, Survey } from './transcribe-sound.ts'
import type { VoiceStretch } from './voices/cut-units.ts'
import type { VoiceGroups } from './voices/group-voices.ts'

export type ThreadSettings = {
  /** A folder as described in `docs/operators/providers.md`; the packaged model if absent. */
  readonly modelDir: string | undefined
  readonly stepTimeoutMs: number
}

/** Some pieces of a sound. `from`: the sample with which the file begins. `model`: the only one that may transcribe them. */
type HearRequest = {
  readonly soundPath: string
  readonly from: number
  readonly length: number
  readonly pieces: readonly SpeechStretch[]
  readonly model: string
  readonly language?: string | undefined
  readonly names: readonly string[]
}

type InFile = { readonly soundPath: string }
export type NamedSound = { readonly soundPath: string; readonly names: readonly string[] }

type ConcludeRequest = {
  readonly soundPath: string
  readonly survey: Survey
  readonly written: readonly HeardPiece[]
}

/** Who speaks in these stretches of a sound, in samples; `count`: how many people, if that is known. */
type VoicesRequest = {
  readonly soundPath: string
  readonly stretches: readonly VoiceStretch[]
  readonly count?: number | undefined
}

/** The questions that the thread answers. */
export type SpeechWork = {
  /** Loads the recogniser, which otherwise happens with the first recording, and tells the mark of its model. */
  prepare: { question: undefined; answer: string }
  transcribe: { question: NamedSound; answer: LocalTranscript }
  /** The steps of a transcript, of which other media workers may do `hear`. First, where somebody speaks in a range. */
  activity: { question: InFile & SpeechStretch; answer: Float32Array }
  /** In which blocks of the sound somebody speaks, and when, in some of these. */
  blocks: {
    question: InFile & { readonly probabilities: Float32Array }
    answer: readonly SpeechStretch[]
  }
  spoken: {
    question: InFile & { readonly blocks: readonly SpeechStretch[] }
    answer: Spoken
  }
  /** The pieces to transcribe. */
  divide: {
    question: NamedSound & { readonly speech: readonly SpeechStretch[] }
    answer: Divided
  }
  hear: { question: HearRequest; answer: readonly HeardPiece[] }
  conclude: { question: ConcludeRequest; answer: LocalTranscript }
  voices: { question: VoicesRequest; answer: VoiceGroups }
  /** Detects voices in a file that may still be growing. */
  listen: { question: { readonly soundPath: string }; answer: VoiceActivity }
}

/** Tells that the file of a task has grown, or that the task is not needed any more. */
export type SpeechNote = { readonly id: number; readonly note: 'grown' | 'whole' | 'cancel' }

import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import type { SpeechStretch } from './find-speech.ts'
import type { HeardPiece } from './recogniser.ts'
import type { LocalTranscript, Survey } from './transcribe-sound.ts'
import type { VoiceStretch } from './voices/cut-units.ts'
import type { VoiceGroups } from './voices/group-voices.ts'

export type ThreadSettings = {
  /** A folder as described in `docs/operators/providers.md`; the packaged model if absent. */
  readonly modelDir: string | undefined
  readonly stepTimeoutMs: number
}

/** Some pieces of a sound. `from`: the sample with which the file begins. `model`: the only one that may write them down. */
export type HearRequest = {
  readonly soundPath: string
  readonly from: number
  readonly length: number
  readonly pieces: readonly SpeechStretch[]
  readonly model: string
  readonly language?: string | undefined
  readonly names: readonly string[]
}

export type NamedSound = { readonly soundPath: string; readonly names: readonly string[] }

export type ConcludeRequest = {
  readonly soundPath: string
  readonly survey: Survey
  readonly written: readonly HeardPiece[]
}

/** Who speaks in these stretches of a sound, in samples; `count`: how many people, if that is known. */
export type VoicesRequest = {
  readonly soundPath: string
  readonly stretches: readonly VoiceStretch[]
  readonly count?: number | undefined
}

export type SpeechRequest =
  /** Loads the recogniser, which otherwise happens with the first recording. */
  | { readonly type: 'prepare'; readonly id: number }
  | ({ readonly type: 'transcribe'; readonly id: number } & NamedSound)
  /** The three steps of a transcript, of which others may take the second one. */
  | ({ readonly type: 'survey'; readonly id: number } & NamedSound)
  | ({ readonly type: 'hear'; readonly id: number } & HearRequest)
  | ({ readonly type: 'conclude'; readonly id: number } & ConcludeRequest)
  | ({ readonly type: 'voices'; readonly id: number } & VoicesRequest)
  /** Detects voices in a file that may still be growing; `grown` tells when it has grown. */
  | { readonly type: 'listen'; readonly id: number; readonly soundPath: string }
  | { readonly type: 'grown'; readonly id: number; readonly isWhole: boolean }
  | { readonly type: 'cancel'; readonly id: number }

export type Unanswered =
  | { readonly type: 'canceled' }
  | { readonly type: 'timed-out' }
  /** `modelFault` says what is wrong with the folder of the model. */
  | { readonly type: 'failed'; readonly cause: string; readonly modelFault?: string }

export type Transcribed = { readonly type: 'done'; readonly transcript: LocalTranscript }
/** `model`: the mark of what is loaded. */
export type Prepared = { readonly type: 'prepared'; readonly model: string }
export type Surveyed = {
  readonly type: 'surveyed'
  readonly survey: Survey
  readonly length: number
  readonly model: string
}
export type HeardPieces = { readonly type: 'heard'; readonly pieces: readonly HeardPiece[] }
export type ToldVoices = { readonly type: 'told' } & VoiceGroups
export type Listened = { readonly type: 'listened'; readonly activity: VoiceActivity }

export type ThreadAnswer = { readonly id: number } & (
  Prepared | Transcribed | Surveyed | HeardPieces | ToldVoices | Listened | Unanswered
)

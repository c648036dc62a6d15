import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import type { LocalTranscript } from './transcribe-sound.ts'

export type ThreadSettings = {
  /** A folder as described in `docs/providers.md`; the packaged model if absent. */
  readonly modelDir: string | undefined
  readonly stepTimeoutMs: number
}

export type ThreadRequest =
  /** Loads the recogniser, which otherwise happens with the first recording. */
  | { readonly type: 'prepare'; readonly id: number }
  | { readonly type: 'transcribe'; readonly id: number; readonly soundPath: string }
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
export type Prepared = { readonly type: 'prepared' }
export type Listened = { readonly type: 'listened'; readonly activity: VoiceActivity }

export type ThreadAnswer = { readonly id: number } & (
  Prepared | Transcribed | Listened | Unanswered
)

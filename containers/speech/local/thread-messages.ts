import type { VoiceActivity } from '../../sound/voice-activity.ts'
import type { LocalTranscript } from './transcribe-sound.ts'

export type ThreadSettings = {
  /** A folder as described in `docs/providers.md`; the packaged model if absent. */
  readonly modelDir: string | undefined
  readonly stepTimeoutMs: number
}

export type ThreadRequest =
  | { readonly type: 'transcribe'; readonly id: number; readonly soundPath: string }
  /** Detects voices in a file that may still be growing; `grown` tells when it has grown. */
  | { readonly type: 'listen'; readonly id: number; readonly soundPath: string }
  | { readonly type: 'grown'; readonly id: number; readonly isWhole: boolean }
  | { readonly type: 'cancel'; readonly id: number }

export type Unanswered =
  | { readonly type: 'canceled' }
  | { readonly type: 'timed-out' }
  | { readonly type: 'failed'; readonly cause: string }

export type Transcribed = { readonly type: 'done'; readonly transcript: LocalTranscript }
export type Listened = { readonly type: 'listened'; readonly activity: VoiceActivity }

export type ThreadAnswer = { readonly id: number } & (Transcribed | Listened | Unanswered)

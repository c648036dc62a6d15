import type { LocalTranscript } from './transcribe-sound.ts'

export type ThreadSettings = {
  /** A folder of the shape in `docs/providers.md`; the packaged model when absent. */
  readonly modelDir: string | undefined
  readonly stepTimeoutMs: number
}

export type ThreadRequest =
  | { readonly type: 'transcribe'; readonly id: number; readonly soundPath: string }
  | { readonly type: 'cancel'; readonly id: number }

export type ThreadAnswer = { readonly id: number } & (
  | { readonly type: 'done'; readonly transcript: LocalTranscript }
  | { readonly type: 'canceled' }
  | { readonly type: 'timed-out' }
  | { readonly type: 'failed'; readonly cause: string }
)

import type { ToolContext } from '../ffmpeg/run-tool.ts'

/**
 * Times in seconds: providers use the timeline of the sound that they got; later they are those of the finished video.
 */
type Span = { readonly startTime: number; readonly endTime: number }

export type Word = Span & {
  readonly text: string
  /** 0 … 1: how likely the provider says it is right, if it tells. */
  readonly confidence?: number
}

/** Speech without a break, with its words if the provider times them. */
export type SpeechSegment = Span & { readonly text: string; readonly words?: readonly Word[] }

/** Has no segments if nobody speaks. */
export type Speech = {
  /** A code such as `en`. */
  readonly language: string
  /** 0 … 1: how sure the provider is of the whole text, if it tells. */
  readonly confidence?: number
  /** Why the text may be wrong, as the end of a sentence for the customer. */
  readonly doubt?: string
  readonly segments: readonly SpeechSegment[]
}

/** A 16 kHz mono MP3 of the raw timeline, or of those of its parts that are transcribed. */
export type SpeechAudio = {
  readonly path: string
  readonly durationSeconds: number
  readonly sizeBytes: number
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare' | 'deepgram' | 'assemblyai'
  /** Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. */
  transcribe(audio: SpeechAudio, tools: ToolContext): Promise<Speech>
}

/** Why there is no text; the customer sees the message. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}

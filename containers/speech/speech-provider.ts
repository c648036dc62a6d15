import type { ToolContext } from '../ffmpeg/run-tool.ts'

/** Times are seconds: a provider's on the timeline of the sound that it was sent, later those of the finished video. */
type Span = { readonly startTime: number; readonly endTime: number }

export type Word = Span & {
  readonly text: string
  /** 0 … 1: how likely the provider takes it to be what was said, where it tells. */
  readonly confidence?: number
}

/** What is said without a break, with its words when the provider times them. */
export type SpeechSegment = Span & { readonly text: string; readonly words?: readonly Word[] }

/** No segments when nobody speaks. */
export type Speech = {
  /** A code such as `en`. */
  readonly language: string
  /** 0 … 1: how sure the provider is of the text as a whole, where it tells. */
  readonly confidence?: number
  /** Why the text may be wrong, for the customer: the end of a sentence. */
  readonly doubt?: string
  readonly segments: readonly SpeechSegment[]
}

/** A 16 kHz mono MP3 of the raw timeline, or of its parts that have to be heard. */
export type SpeechAudio = {
  readonly path: string
  readonly durationSeconds: number
  readonly sizeBytes: number
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare'
  /** Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. */
  transcribe(audio: SpeechAudio, tools: ToolContext): Promise<Speech>
}

/** Why there is no text; the message is shown to the customer. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}

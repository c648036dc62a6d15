import type { ToolContext } from '../ffmpeg/run-tool.ts'

/** Times are seconds on the timeline of the sound that was sent, which is that of the finished video. */
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
  readonly segments: readonly SpeechSegment[]
}

/** A 16 kHz mono MP3 of the final timeline. */
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

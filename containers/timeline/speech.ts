import type { Timed } from '../../worker/contract/layout/word-left.ts'

/**
 * Providers use the timeline of the sound that they got; later, the times are those of the raw timeline, and in the end
 * those of the finished video.
 */
export type Word = Timed & {
  readonly text: string
  /** 0 … 1: how likely it is right according to the provider, if that tells. */
  readonly confidence?: number
  /** The speaker's name as the customer reads it; the words of a segment have one speaker. */
  readonly speaker?: string
}

/** Speech without a break, with its words if the provider times them. */
export type SpeechSegment = Timed & {
  readonly text: string
  readonly words?: readonly Word[]
  readonly speaker?: string
}

/** Without segments if nobody speaks. */
export type Speech = {
  /** A code such as `en`. */
  readonly language: string
  /** 0 … 1: how certain the provider is of the whole text, if it tells. */
  readonly confidence?: number
  /** Why the text may be wrong, as the end of a sentence for the customer. */
  readonly doubt?: string
  /** Whether it is certain who speaks; absent if that was not told. */
  readonly speakersCertain?: boolean
  /** The names of everybody heard in the source, in the order in which they begin there, even after some of it was cut. */
  readonly speakers?: readonly string[]
  readonly segments: readonly SpeechSegment[]
}

/** The speech with each segment and each word changed in the same way. */
export function changeSaid(speech: Speech, change: (said: Word) => Word): Speech {
  const segments = speech.segments.map(({ words, ...segment }): SpeechSegment => ({
    ...change(segment),
    ...(words && { words: words.map(change) }),
  }))
  return { ...speech, segments }
}

/** The same speech on another timeline. */
export function retimeSpeech(speech: Speech, timeOf: (seconds: number) => number): Speech {
  return changeSaid(speech, (said) => ({
    ...said,
    startTime: timeOf(said.startTime),
    endTime: timeOf(said.endTime),
  }))
}

export function withoutSpeakers(speech: Speech): Speech {
  return changeSaid(speech, ({ startTime, endTime, text, confidence }) => ({
    ...{ startTime, endTime, text, ...(confidence !== undefined && { confidence }) },
  }))
}

/** The outcome of transcribing a video. */
export type Transcription =
  | { readonly outcome: 'heard'; readonly speech: Speech }
  | { readonly outcome: 'failed'; readonly message: string }
  /** The video is longer than what is transcribed. */
  | { readonly outcome: 'too-long'; readonly mostSeconds: number }
  | { readonly outcome: 'unasked' }

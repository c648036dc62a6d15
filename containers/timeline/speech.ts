/**
 * Times in seconds: providers use the timeline of the sound that they got, then they are those of the raw timeline, and
 * in the end those of the finished video.
 */
type Span = { readonly startTime: number; readonly endTime: number }

export type Word = Span & {
  readonly text: string
  /** 0 … 1: how likely the provider says it is right, if it tells. */
  readonly confidence?: number
  /** Who says it, by the name that the customer reads; the words of a segment have one speaker. */
  readonly speaker?: string
}

/** Speech without a break, with its words if the provider times them. */
export type SpeechSegment = Span & {
  readonly text: string
  readonly words?: readonly Word[]
  readonly speaker?: string
}

/** Has no segments if nobody speaks. */
export type Speech = {
  /** A code such as `en`. */
  readonly language: string
  /** 0 … 1: how sure the provider is of the whole text, if it tells. */
  readonly confidence?: number
  /** Why the text may be wrong, as the end of a sentence for the customer. */
  readonly doubt?: string
  /** Whether it is certain who speaks; absent if nobody told. */
  readonly speakersCertain?: boolean
  /** The names of all who are heard in the source, in the order in which they begin there, also once some of it is cut. */
  readonly speakers?: readonly string[]
  readonly segments: readonly SpeechSegment[]
}

/** What is said, with each segment and each word changed alike. */
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

/** The outcome of listening to a video. */
export type Transcription =
  | { readonly outcome: 'heard'; readonly speech: Speech }
  | { readonly outcome: 'failed'; readonly message: string }
  /** It is longer than what is transcribed. */
  | { readonly outcome: 'too-long'; readonly mostSeconds: number }
  | { readonly outcome: 'unasked' }

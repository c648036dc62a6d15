import type { SpeechStretch } from './find-speech.ts'
import type { WindowSettings } from './make-windows.ts'
import type { SampledSound } from './sound-file.ts'
import type { Turns } from '../../models/turns.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The text of one piece of sound. */
export type PieceText = {
  readonly tokens: readonly TimedToken[]
  /** The sum over `judged` tokens of how sure the decoder was. */
  readonly logProbability: number
  readonly judged: number
}

/** A token with its apparent start and the time of its strongest attention. */
export type TimedToken = {
  readonly token: number
  readonly seconds: number
  readonly peakSeconds: number
  /** How sure the decoder was of it, given the text before it. */
  readonly logProbability: number
}

/** A piece of a sound, and the place at which it begins. */
export type SoundExcerpt = { readonly samples: Float32Array; readonly offset: number }

/** When a token begins and when it is heard best, in samples from the beginning of the excerpt. */
export type TokenPlace = { readonly start: number; readonly peak: number }

/** What a model wrote for an excerpt. */
export type DecodedText = {
  /** The tokens of the text alone, without those that only steer the model. */
  readonly tokens: readonly number[]
  /** How sure the decoder was of each token, and of the end. */
  readonly logProbabilities: readonly number[]
  /** When each token is said. */
  readonly place: () => readonly TokenPlace[]
  /** The number of samples after which the model stopped, if it says that more follows. */
  readonly heardSamples?: number
}

/** A stretch of sound and the text that was recognised in it. */
export type HeardPiece = SpeechStretch & { readonly heard: readonly PieceText[] }

/** How sure a recogniser is of its whole text. */
export type Judgement = {
  /** 0 … 1; absent if there is nothing to be sure of. */
  readonly confidence?: number
  /** Only from a recogniser of English alone: on the scale of `meanCertainty`, how much the speech resembles English. */
  readonly englishScore?: number
}

/** Transcribes one recording, in one language. */
export type Recogniser = {
  readonly language: string
  /** The model's name for the language, if it is known from the beginning. */
  readonly known?: string | undefined
  readonly decode: (excerpt: SoundExcerpt, checkStop: () => void) => Promise<DecodedText>
  /** Whether the two halves of the sound, decoded separately, may give a better text. */
  readonly isDoubtful: (decoded: DecodedText, excerpt: SoundExcerpt, splits: number) => boolean
  readonly judge: (pieces: readonly HeardPiece[]) => Promise<Judgement>
}

/** A recording, and the parts of it in which somebody speaks. */
export type Recording = {
  readonly sound: SampledSound
  readonly pieces: readonly SpeechStretch[]
  readonly turns: Turns
  /** The model's name for the language, if it was found before. */
  readonly language?: string | undefined
  /** Names to be preferred where the sound could be one of them. */
  readonly names: readonly string[]
}

/** A loaded model, which turns windows of speech into tokens. */
export type SpeechModel = {
  readonly windows: WindowSettings
  readonly vocabulary: Vocabulary
  /** Finds the language of a recording, if the model knows more than one. */
  readonly begin: (recording: Recording) => Promise<Recogniser>
}

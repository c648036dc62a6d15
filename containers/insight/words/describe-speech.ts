import type { Speech } from '../../speech/speech-provider.ts'
import type { City } from '../places/cities.ts'
import { placeNamed } from '../places/place-named.ts'
import { findKeywords } from './find-keywords.ts'
import { heardText } from './heard-text.ts'
import { keySentences } from './key-sentences.ts'

/** What is said, in short; of what may have been misheard, nothing. */
export type SpeechDescription = {
  readonly keywords: readonly string[]
  readonly sentences: readonly string[]
  readonly place: string | undefined
}

const maxKeywords = 8
const maxSentenceChars = 280
/** Two hours of talk. */
const maxChars = 120_000

/** The grammar knows English only; sentences are sentences in any language. */
export function describeSpeech(speech: Speech, cities: readonly City[]): SpeechDescription {
  const heard = heardText(speech, maxChars)
  const isEnglish = speech.language === 'en'
  return {
    keywords: isEnglish ? findKeywords(heard, maxKeywords) : [],
    sentences: keySentences(heard, maxSentenceChars),
    place: isEnglish ? placeNamed(heard, cities) : undefined,
  }
}

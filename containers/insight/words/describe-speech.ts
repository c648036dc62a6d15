import type { Speech } from '../../timeline/speech.ts'
import type { City } from '../places/cities.ts'
import { placeNamed } from '../places/place-named.ts'
import { findKeywords } from './find-keywords.ts'
import { heardText } from './heard-text.ts'
import { keySentences } from './key-sentences.ts'

/** A short description of the speech that leaves out doubtful words. */
export type SpeechDescription = {
  readonly keywords: readonly string[]
  readonly sentences: readonly string[]
  readonly place: string | undefined
}

const maxKeywords = 8
const maxSentenceChars = 280
/** Twenty minutes of speech: the time for its grammar grows with the square, and more of it names the same topics. */
const maxChars = 20_000

/** Keywords need the grammar, which covers only English; key sentences work in any language. */
export function describeSpeech(speech: Speech, cities: readonly City[]): SpeechDescription {
  const heard = heardText(speech, maxChars)
  const isEnglish = speech.language === 'en'
  return {
    keywords: isEnglish ? findKeywords(heard, maxKeywords) : [],
    sentences: keySentences(heard, maxSentenceChars),
    place: isEnglish ? placeNamed(heard, cities) : undefined,
  }
}

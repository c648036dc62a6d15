import type { Word } from '../../timeline/speech.ts'
import { isFillerWord } from './find-fillers.ts'
import { plainLetters } from './plain-letters.ts'

/** The recogniser makes up words for fillers, but is less certain of them than of real words. */
export const sureWord = 0.5

/** Words that sound much like a filler when they are said alone. They are believed even if the recogniser is unsure. */
const nearFillers = new Set('a an and are or our her of on in the own oh'.split(' '))

type Belief = 'word' | 'filler' | 'doubt'

/** Whether a written word was really spoken. “Ah” is what the recogniser writes for “uh”. */
export function beliefIn({ text, confidence = 1 }: Word, least = sureWord): Belief {
  const letters = plainLetters(text)
  if (isFillerWord(letters, 'en')) return 'filler'
  if (letters === 'ah') return 'doubt'
  return confidence >= least || nearFillers.has(letters) ? 'word' : 'doubt'
}

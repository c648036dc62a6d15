import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { limits } from '../limits.ts'
import { textUpTo, wellFormed, withLetters } from '../input/text.ts'

const name = worded(
  textUpTo(limits.vocabularyLength)
    .refine(...withLetters)
    .refine(
      (text) => !/[\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u.test(text),
      'Must be one line without spaces around it',
    )
    .refine(...wellFormed),
  'a name such as "Spool"',
)

/** Names and words that may be said, spelled as they are to be written. */
export const vocabulary = worded(
  z.array(name).max(limits.vocabulary, `At most ${limits.vocabulary} names`),
  'a list such as ["Spool", "Łódź"]',
)

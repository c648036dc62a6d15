import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { limits } from '../limits.ts'

const name = worded(
  z
    .string()
    .max(limits.vocabularyLength, `Must be at most ${limits.vocabularyLength} characters`)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Must have a letter or a digit')
    .refine(
      (text) => !/[\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u.test(text),
      'Must be one line without spaces around it',
    )
    .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode'),
  'a name such as "Spool"',
)

/** Names and words that may be said, spelled as they are to be written. */
export const vocabulary = worded(
  z.array(name).max(limits.vocabulary, `At most ${limits.vocabulary} names`),
  'a list such as ["Spool", "Łódź"]',
)

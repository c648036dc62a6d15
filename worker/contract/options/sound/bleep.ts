import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'

const example = '["damn", "Acme Corp"]'

/** Words or phrases that are to be neither heard nor read. */
export const bleep = worded(
  z
    .array(
      worded(
        z
          .string()
          .max(limits.bleepLength, `Must be at most ${limits.bleepLength} characters`)
          .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Must have a letter or a digit')
          .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode')
          .refine((text) => !/\*(?!$)/.test(text.trim()), 'Must have * only at its end'),
        'text such as "damn"',
      ),
    )
    .min(1, 'Must name at least one word')
    .max(limits.bleepWords, `At most ${limits.bleepWords} words`),
  `a list such as ${example}`,
)

/** What is heard in place of a covered word. */
export const bleepSounds = ['tone', 'silence'] as const

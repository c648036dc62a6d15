import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'
import { textUpTo, wellFormed, withLetters } from '../../input/text.ts'

const example = '["damn", "Acme Corp"]'

/** Words or phrases that are to be neither heard nor read. */
export const bleep = worded(
  z
    .array(
      worded(
        textUpTo(limits.bleepLength)
          .refine(...withLetters)
          .refine(...wellFormed)
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

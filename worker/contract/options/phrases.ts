import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { worded } from '../answers/wording.ts'
import { textUpTo, wellFormed, withLetters } from '../input/text.ts'

const smallest = '"let me start again" or {"text": "let me start again", "occurrence": 2}'

const said = worded(
  textUpTo(limits.phraseLength)
    .refine(...withLetters)
    .refine(...wellFormed),
  'text such as "let me start again"',
)

const atPlace = closedObject({
  text: said.describe('What is said'),
  occurrence: worded(
    z.int().min(1, 'Must be 1 or more; 1 is the first time that it is said'),
    'a whole number such as 2',
  )
    .optional()
    .describe('Only the time with this number, from 1; every time when absent'),
})

/** Something that is said in a video: every time, or one of the times. */
const phrase = worded(
  z.union([said, atPlace], { error: `Must be ${smallest}` }),
  `text such as ${smallest}`,
)
export type Phrase = z.infer<typeof phrase>

export const phrases = worded(
  z.array(phrase).max(limits.phrases, `At most ${limits.phrases} phrases`),
  'a list such as ["let me start again"]',
)

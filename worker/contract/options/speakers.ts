import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { wellFormed } from '../input/text.ts'

export const speakerName = worded(
  z
    .string()
    .trim()
    .max(limits.speakerNameLength, `Must be at most ${limits.speakerNameLength} characters`)
    .refine((text) => text !== '', 'Must not be empty')
    .refine(...wellFormed)
    // A name stands in front of what is said, in files whose lines and marks have a meaning.
    .refine(
      (text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}<>]/u.test(text),
      'Must not have <, >, line breaks or other control characters',
    ),
  'a name such as "Anna"',
)

const nameList = z
  .array(speakerName)
  .min(1, 'Must name at least one speaker')
  .max(limits.speakers, `At most ${limits.speakers} speakers`)

/** The speakers whose words are kept or removed: by names of the request, or by those that the job gives. */
export const speakerNames = worded(nameList, 'a list such as ["Speaker 1"]')

const howMany = `Must be from 1 to ${limits.speakers}`

const who = closedObject({
  count: worded(z.int().min(1, howMany).max(limits.speakers, howMany), 'a whole number such as 2')
    .optional()
    .describe('How many people speak, if you know; found out when absent'),
  names: worded(nameList, 'a list such as ["Anna", "Ben"]')
    .optional()
    .describe(
      'Their names, in the order in which they first speak; Speaker 1, Speaker 2 otherwise. A name that is given twice makes one speaker of two voices',
    ),
})

export const speakers = worded(
  z.union([z.boolean(), who]),
  'true, false, or an object such as {"count": 2, "names": ["Anna", "Ben"]}',
)

export type SpeakersAsked = {
  readonly speakers?: z.infer<typeof speakers> | undefined
  readonly keepSpeakers?: readonly string[] | undefined
  readonly removeSpeakers?: readonly string[] | undefined
  readonly captions?: { readonly colorBySpeaker?: boolean | undefined } | undefined
}

/** What the request says about speakers; undefined if it does not need them. Cutting or colouring by speaker needs them. */
export function speakersAsked(
  options: SpeakersAsked,
): { readonly count?: number | undefined; readonly names: readonly string[] } | undefined {
  const { speakers: asked = false, captions } = options
  if (asked === false && !cutsSpeakers(options) && captions?.colorBySpeaker !== true) {
    return undefined
  }
  const { count = undefined, names = [] } = typeof asked === 'boolean' ? {} : asked
  return { count, names }
}

/** Whether parts are cut by who speaks in them. */
export function cutsSpeakers({ keepSpeakers = [], removeSpeakers = [] }: SpeakersAsked): boolean {
  return keepSpeakers.length + removeSpeakers.length > 0
}

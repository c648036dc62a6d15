import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { time } from './time.ts'
import { textUpTo, wellFormed, withLetters } from '../input/text.ts'

/** The values that `suggestClips` leaves out. */
const usualClips = { count: 5, minDuration: 15, maxDuration: 60 } as const

const between = `Must be from 1 to ${limits.clipSeconds}`
const clipLength = () => time(z.number().min(1, between).max(limits.clipSeconds, between))
const howMany = `Must be from 1 to ${limits.suggestedClips}`

/** Which parts of a talk to suggest as clips. */
export const suggestClips = worded(
  closedObject({
    count: worded(
      z.int().min(1, howMany).max(limits.suggestedClips, howMany),
      'a whole number such as 3',
    )
      .optional()
      .describe(`How many at most; ${usualClips.count} when absent`),
    minDuration: clipLength()
      .optional()
      .describe(`Seconds that each lasts at least; ${usualClips.minDuration} when absent`),
    maxDuration: clipLength()
      .optional()
      .describe(`Seconds that each lasts at most; ${usualClips.maxDuration} when absent`),
    about: worded(
      textUpTo(limits.aboutLength)
        .refine(...withLetters)
        .refine(...wellFormed),
      'text such as "pricing"',
    )
      .optional()
      .describe('Only parts that say one of these words, in any form'),
  }).superRefine(({ minDuration, maxDuration }, context) => {
    const least = minDuration ?? usualClips.minDuration
    const most = maxDuration ?? usualClips.maxDuration
    if (least <= most) return
    const [field, message] =
      minDuration === undefined
        ? ['maxDuration', `Must not be below minDuration, which is ${least} when absent`]
        : [
            'minDuration',
            `Must not be above maxDuration, ${maxDuration === undefined ? `which is ${most} when absent` : `here ${most}`}`,
          ]
    context.addIssue({ code: 'custom', path: [field], message })
  }),
  'an object such as {"count": 3, "maxDuration": 45}',
)
export type SuggestClips = z.infer<typeof suggestClips>

/** The requested clips, with defaults for what the request leaves out. */
export function clipsAsked({
  count = usualClips.count,
  minDuration = usualClips.minDuration,
  maxDuration = usualClips.maxDuration,
  about = '',
}: SuggestClips) {
  return { count, minDuration, maxDuration, about }
}
export type ClipsAsked = ReturnType<typeof clipsAsked>

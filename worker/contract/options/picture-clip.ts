import { z } from 'zod'
import { worded } from '../answers/wording.ts'

export const motions = ['none', 'zoom-in', 'zoom-out', 'pan-left', 'pan-right'] as const
export type Motion = (typeof motions)[number]

/** What an entry of `files` says of a picture, which becomes a clip. */
export const pictureClip = {
  duration: worded(z.number(), 'a number of seconds such as 5')
    .min(0.1, 'Must be from 0.1 to 600 seconds')
    .max(600, 'Must be from 0.1 to 600 seconds')
    .optional()
    .describe(
      'Seconds that a picture is shown; required for JPEG, PNG, WebP and AVIF, the length of its own for a GIF',
    ),
  motion: z
    .enum(motions)
    .optional()
    .describe('How the view moves over a picture while it is shown; none when absent'),
} as const

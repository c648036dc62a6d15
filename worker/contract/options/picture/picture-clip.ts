import { z } from 'zod'
import { time } from '../time.ts'

const motions = ['none', 'zoom-in', 'zoom-out', 'pan-left', 'pan-right'] as const
export type Motion = (typeof motions)[number]

const between = 'Must be from 0.1 to 600 seconds'

/** Fields of an entry of `files` for a picture, which becomes a clip. */
export const pictureClip = {
  duration: time(z.number().min(0.1, between).max(600, between))
    .optional()
    .describe(
      'Seconds that a picture is shown; required for JPEG, PNG, WebP and AVIF, the length of its own for a GIF',
    ),
  motion: z
    .enum(motions)
    .optional()
    .describe('How the view moves over a picture while it is shown; none when absent'),
} as const

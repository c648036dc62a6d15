import { z } from 'zod'

const partStates = ['running', 'stored', 'failed', 'stopped'] as const

/** A part of a film that another media worker renders, as the record of the job shows it. */
export const shownPart = z.object({
  n: z.int().min(0).describe('Which part of the film, counted from 0'),
  state: z
    .enum(partStates)
    .describe(
      'stored: rendered; stopped: it was not needed any more; failed: it is tried again or rendered by the media worker of the job',
    ),
  tries: z.int().min(1).describe('How often it was given to a media worker'),
  pictures: z.int().min(0).describe('Pictures that are rendered'),
  durationMs: z.number().min(0).describe('How long its last or successful try took'),
})
export type ShownPart = z.infer<typeof shownPart>

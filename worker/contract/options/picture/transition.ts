import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { plainColor } from './picture-edits.ts'
import { time } from '../time.ts'

const transitionTypes = [
  'crossfade',
  'fade',
  'wipe-left',
  'wipe-right',
  'slide-left',
  'slide-right',
  'none',
] as const

const leastSeconds = 0.05
const range = `Must be from ${leastSeconds} to ${limits.transitionSeconds} seconds`

/** How one part of a film leads into the next: both are shown at once for a while, so the film is as much shorter. */
export const transition = worded(
  closedObject({
    type: z
      .enum(transitionTypes)
      .describe(
        'crossfade mixes both pictures, fade goes through a colour, wipe uncovers the next picture, slide pushes it in, none cuts',
      ),
    duration: time(z.number().min(leastSeconds, range).max(limits.transitionSeconds, range))
      .optional()
      .describe(
        'Seconds that both parts are shown at once, by which the film is shorter; 0.5 when absent',
      ),
    color: plainColor.optional().describe('The colour that a fade goes through; black when absent'),
  }).refine(({ type, color }) => color === undefined || type === 'fade', {
    path: ['color'],
    message: 'Only a fade goes through a colour',
  }),
  'an object such as {"type": "crossfade", "duration": 0.5}',
)
export type Transition = z.infer<typeof transition>

/** How long a transition lasts. */
export function transitionSeconds({ duration = 0.5 }: Transition): number {
  return duration
}

/** Faults of transitions, such as one after the last clip. */
export function transitionFaults({
  files = [],
}: {
  files?: readonly { transition?: Transition | undefined }[] | undefined
}): FieldFault[] {
  const last = files.at(-1)?.transition
  if (!last || last.type === 'none') return []
  return [
    {
      field: `files[${files.length - 1}].transition`,
      message: 'A transition leads into the next clip, and this clip is the last one',
    },
  ]
}

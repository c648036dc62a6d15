import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { seconds, time } from '../time.ts'
import { offset } from './picture-edits.ts'

export const reframeModes = ['crop', 'halves', 'wide'] as const
export type ReframeMode = (typeof reframeModes)[number]

const scene = worded(
  closedObject(
    {
      startTime: seconds.describe('Second of the source at which it begins'),
      endTime: time().describe('Second of the source at which it ends'),
      mode: z
        .enum(reframeModes)
        .optional()
        .describe(
          'What is shown: a part of the picture, two people one above the other, or all of it with bars; crop when absent',
        ),
      x: offset
        .optional()
        .describe('The middle of the part: whole pixels, or % of the width; 50% when absent'),
      y: offset
        .optional()
        .describe('The middle of the part: whole pixels, or % of the height; 50% when absent'),
    },
    { duration: 'Unknown field; a scene ends at its endTime, in seconds of the source' },
  )
    .refine((one) => one.endTime > one.startTime, {
      path: ['endTime'],
      message: 'Must be after startTime',
    })
    .superRefine(({ mode = 'crop', x, y }, context) => {
      if (mode === 'crop') return
      for (const [side, value] of [['x', x] as const, ['y', y] as const]) {
        if (value === undefined) continue
        const message = `Only for mode crop; ${mode} finds its own place`
        context.addIssue({ code: 'custom', path: [side], message })
      }
    }),
  'an object such as {"startTime": 0, "endTime": 4, "x": "30%"}',
)
export type AskedScene = z.infer<typeof scene>

export const reframe = worded(
  closedObject({
    scenes: worded(
      z
        .array(scene)
        .min(1, 'Must name at least one scene')
        .max(limits.reframeScenes, `At most ${limits.reframeScenes} scenes`)
        .superRefine((scenes, context) => {
          scenes.forEach(({ startTime }, i) => {
            const before = scenes[i - 1]
            if (!before || startTime >= before.endTime) return
            const message = `Must not be before ${before.endTime}, where scenes[${i - 1}] ends: scenes come in order and do not overlap`
            context.addIssue({ code: 'custom', path: [i, 'startTime'], message })
          })
        }),
      'a list such as [{"startTime": 0, "endTime": 4, "x": "30%"}]',
    ).describe('In order, without overlaps'),
  }),
  'an object such as {"scenes": [{"startTime": 0, "endTime": 4, "x": "30%"}]}',
)

import { z } from 'zod'
import { limits } from '../limits.ts'
import { reframeModes } from '../options/picture/reframe.ts'

/** Of all scenes of a video together. */
export const mostMoves = 400

const middle = {
  x: z.number().min(0).max(100).optional(),
  y: z.number().min(0).max(100).optional(),
}

export const shownScene = z.strictObject({
  startTime: z.number().describe('Second of the source at which it begins'),
  endTime: z.number(),
  mode: z.enum(reframeModes),
  x: z.number().min(0).max(100).optional().describe('The middle at its start, in % of the width'),
  y: z.number().min(0).max(100).optional().describe('The same in % of the height'),
  faces: z.int().min(0).describe('How many people it was chosen for; 0 if you chose it'),
  moves: z
    .array(z.object({ time: z.number(), ...middle }))
    .max(mostMoves)
    .optional()
    .describe(
      `Where the middle is later; it moves evenly from one place to the next. Absent if it stays, and behind the first ${mostMoves} of a video`,
    ),
})

/** What `resizeMode: follow` shows. */
export const reframed = z.strictObject({
  scenes: z.array(shownScene).max(limits.reframeScenes).describe('In order, the first of them'),
  count: z.int().min(0).describe('How many there are in all'),
})
export type Reframed = z.infer<typeof reframed>

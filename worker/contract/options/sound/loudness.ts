import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'

export const usualLoudness = { target: -16, peak: -1.5 } as const
const between = (least: number, most: number) => {
  const message = `Must be from ${least} to ${most}`
  return worded(
    z.number().min(least, message).max(most, message),
    `a number from ${least} to ${most}`,
  )
}

/** The loudness of the film's sound. */
export const normalizeAudio = worded(
  z.union([
    z.boolean(),
    closedObject({
      target: between(-31, -8).optional().describe('Loudness in LUFS; -16 when absent'),
      peak: between(-9, 0).optional().describe('The highest peak in dBTP; -1.5 when absent'),
    }),
  ]),
  'true, false, or an object such as {"target": -14}',
)
  .default(false)
  .describe('Bring the loudness to -16 LUFS, or to a target of your own')
  .meta({ examples: [true] })

/** The requested loudness and peak; undefined if the loudness may stay as it is. */
export function loudnessAsked(
  asked: z.infer<typeof normalizeAudio>,
): { target: number; peak: number } | undefined {
  if (asked === false) return undefined
  const { target = usualLoudness.target, peak = usualLoudness.peak } = asked === true ? {} : asked
  return { target, peak }
}

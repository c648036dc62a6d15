import { z } from 'zod'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'
import { segment } from '../cuts.ts'
import { time } from '../time.ts'

const most = limits.outputSeconds
const tooLong = `Must be at most ${most} seconds`
const second = time(z.number().min(0, 'Must be 0 or more seconds').max(most, tooLong))
const lasting = time(z.number().positive('Must be more than 0 seconds').max(most, tooLong))
const between = `Must be from 0.1 to ${most}`

/** Which part of the finished film an output shows, or which stretch of the source it is made of. */
export const timeFields = {
  clip: segment
    .optional()
    .describe(
      'A stretch of the source that becomes a film of its own: its times, captions, loudness and fades count from its own start',
    ),
  startTime: second.optional().describe('Second of the finished video at which it begins'),
  duration: lasting.optional().describe('Seconds of it; to the end when absent'),
  times: worded(
    z
      .array(second)
      .min(1, 'Must name at least one second')
      .max(limits.stills, `At most ${limits.stills} stills`),
    'a list of seconds such as [1, 12.5]',
  )
    .optional()
    .describe('Seconds that jpg and png show, each in a file; 0 when absent'),
  interval: time(z.number().min(0.1, between).max(most, between))
    .optional()
    .describe('Seconds between pictures of a sprite; 100 pictures when absent'),
}

import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { clockTime, secondsOf } from '../input/clock-time.ts'

const is = 'a number of seconds such as 1.5, or a time such as "00:01:02.5"'
const clock = z.string().max(20).regex(clockTime, { abort: true })

const times = new WeakSet<object>()

/** Whether a schema takes seconds as a number or as a time. */
export function isTime(schema: object): boolean {
  return times.has(schema)
}

/** Seconds as a number or as a time. Whichever a request has, a number is stored and used. */
export function time(range: z.ZodNumber = z.number()) {
  const given = worded(z.union([range, clock], { error: `Must be ${is}` }), is)
  times.add(given)
  return given
    .transform((value) => (typeof value === 'number' ? value : (secondsOf(value) ?? NaN)))
    .pipe(range)
}

/** A moment, or how long something lasts. */
export const seconds = time(z.number().min(0, 'Must be 0 or more seconds'))

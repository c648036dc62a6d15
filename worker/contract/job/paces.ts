import { z } from 'zod'

const kind = z.string().min(1).max(60)

/** One kind of work that was done, in units that only media workers know, and how long it took. */
export const workDone = z.object({ kind, units: z.number().positive(), ms: z.number().min(0) })
export type WorkDone = z.infer<typeof workDone>

/** How long one unit of a kind of work takes. `spread`: the standard deviation of its logarithm. */
const pace = z.object({ ms: z.number().positive(), spread: z.number().min(0) })
export type Pace = z.infer<typeof pace>

/** What past jobs tell about the next one, by kind of work. */
export const paces = z.record(kind, pace)
export type Paces = z.infer<typeof paces>

/** Seconds until the end; four of five jobs end between `least` and `most`. */
export const timeLeft = z.object({
  seconds: z.number().min(0),
  least: z.number().min(0),
  most: z.number().min(0),
})
export type TimeLeftRange = z.infer<typeof timeLeft>

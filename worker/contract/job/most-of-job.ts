import { z } from 'zod'

/** The prices with which plans reckon: of a second of one processor, and of each GB of results. */
const prices = z.strictObject({ cpuSecond: z.number().min(0), gigabyte: z.number().min(0) })
export type Prices = z.infer<typeof prices>

/** What a job may take at most; it is refused before anything is made. */
export const mostOfJob = z.strictObject({
  seconds: z.number().positive().optional(),
  price: z.number().positive().optional(),
  prices,
})
export type MostOfJob = z.infer<typeof mostOfJob>

import { z } from 'zod'
import { foresight, likely } from '../job/foresight.ts'

/** The answer of POST /v1/plans. */
export const plan = z.object({
  steps: z.array(z.string()).describe('What would be done, in this order, for people'),
  summary: z
    .array(z.string())
    .describe('What would come of it, line by line, for people: what the other fields say'),
  ...foresight.shape,
  startsIn: likely.nullable().describe('Seconds until the work begins; null: nothing tells yet'),
  price: likely.describe(
    'For the processor and for what the results take, by PRICE_PER_CPU_SECOND and PRICE_PER_GB; in US dollars unless the operator says otherwise',
  ),
})
export type Plan = z.infer<typeof plan>

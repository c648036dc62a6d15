import { z } from 'zod'
import { videoId } from '../ids.ts'
import { foresight, likely } from '../job/foresight.ts'

/** The answer of POST /v1/plans. */
export const plan = z.object({
  steps: z.array(z.string()).describe('What would be done, in this order, for people'),
  summary: z
    .array(z.string())
    .describe('What would come of it, line by line, for people: what the other fields say'),
  ...foresight.shape,
  reusedFrom: videoId
    .nullable()
    .describe('The video whose result would be the answer, so that nothing is made; null: none'),
  wordsKept: z
    .boolean()
    .describe('Whether an earlier video has heard the words of these sources, which are kept'),
  startsIn: likely.nullable().describe('Seconds until the work begins; null: nothing tells yet'),
  price: likely.describe(
    'For the processor and for what the results take, by PRICE_PER_CPU_SECOND and PRICE_PER_GB; in US dollars unless the operator says otherwise',
  ),
})
export type Plan = z.infer<typeof plan>

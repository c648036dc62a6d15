import { z } from 'zod'
import { failureReasons, fetchedFile } from './report.ts'

/** A forecast is never exact: four of five values are between `least` and `most`. */
export const likely = z.object({
  likely: z.number().min(0),
  least: z.number().min(0),
  most: z.number().min(0),
})
export type Likely = z.infer<typeof likely>

export const foreseenSource = z.object({
  field: z.string().describe('Where the request names it'),
  format: z.string(),
  sizeInBytes: z.number(),
  duration: z.number().describe('Seconds'),
  width: z.number().optional().describe('Pixels, upright; absent from a sound'),
  height: z.number().optional(),
  fps: z.number().optional().describe('Frames per second'),
  videoCodec: z.string().optional(),
  audioCodec: z.string().nullable().describe('null: it has no sound'),
})

export const foreseenResult = z.object({
  name: z.string().optional().describe('Of the output, if the request names several'),
  format: z.string(),
  picture: z
    .string()
    .nullable()
    .describe('encoded, copied, or copied but for 3 seams; null: it has no picture'),
  whyEncoded: z
    .string()
    .nullable()
    .describe(
      'Why its pictures are encoded; null for copies, stills and streams, which have no other way',
    ),
  sound: z.enum(['copied', 'encoded', 'none']),
  width: z.number().optional().describe('Pixels'),
  height: z.number().optional(),
  duration: likely.describe('Seconds'),
  sizeInBytes: likely,
})
export type ForeseenResult = z.infer<typeof foreseenResult>

const takes = {
  refusal: z
    .object({ reason: z.enum(failureReasons).catch('internal'), message: z.string() })
    .nullable()
    .describe('How the video would fail; null: as far as is known it would not'),
  seconds: likely.describe('Seconds that the work takes, once it has begun'),
  cpuSeconds: likely.describe('Seconds of one processor'),
}

/** What would become of a job, as far as a media worker can tell without doing it. */
export const foresight = z.object({
  sources: z.array(foreseenSource),
  results: z.array(foreseenResult),
  warnings: z.array(z.string()).describe('The warnings that the video would have'),
  unknown: z
    .array(z.string())
    .describe('What shows only while the work is done, and why; the ranges allow for it'),
  ...takes,
})
export type Foresight = z.infer<typeof foresight>

/** The answer of a media worker to the service, which alone knows what it has kept. */
export const foreseenJob = foresight.extend({
  /** Identifies the result by engine and files; absent if not all bytes are known. */
  made: z.object({ engine: z.string(), files: z.array(fetchedFile) }).optional(),
  /**
   * The work if an earlier job has heard the words, and the names under which they would be kept. `decide`: with them, the plan
   * tells more.
   */
  ifKept: z
    .object({ names: z.array(z.string()).max(2), decide: z.boolean().optional(), ...takes })
    .optional(),
})
export type ForeseenJob = z.infer<typeof foreseenJob>

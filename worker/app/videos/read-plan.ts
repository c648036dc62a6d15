import { z } from 'zod'

const number = z.number()
const source = z.object({
  format: z.string(),
  sizeBytes: number,
  durationSeconds: number,
  width: number,
  height: number,
  averageFps: number,
  audio: z.string().nullable(),
})
const cut = z.object({
  source: z.int().min(0),
  startTime: number,
  endTime: number,
  why: z.enum(['asked', 'text', 'filler', 'silence']),
  resultTime: number,
})

/** The part of a plan that a page shows. Only the media worker defines its shape; a plan of another shape is not shown. */
const plan = z.object({
  sources: z.array(source).min(1),
  cuts: z.object({
    count: number,
    removedSeconds: number,
    list: z.array(cut),
    unlisted: number,
  }),
  sound: z
    .object({
      loudness: number.nullable(),
      gainDb: number.nullable(),
      hasNoiseRemoved: z.boolean(),
    })
    .nullable(),
})
export type ShownPlan = z.infer<typeof plan>
export type ShownCut = z.infer<typeof cut>

export function readPlan(value: unknown): ShownPlan | undefined {
  return plan.safeParse(value).data
}

const division = z.object({ parts: z.string() })

/** The number of parts of a film, or why it stayed whole; undefined if the plan says neither. */
export function readDivision(value: unknown): number | string | undefined {
  const { data } = division.safeParse(value)
  if (!data) return undefined
  const [, count, why] = /^(?:(\d+) parts|whole: (.+))$/s.exec(data.parts) ?? []
  return count === undefined ? why : Number(count)
}

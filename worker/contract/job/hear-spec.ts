import { z } from 'zod'
import { vocabulary } from '../options/vocabulary.ts'

/** In samples of the whole sound, at 16 kHz: a piece may begin or end in the silence around it. */
const sample = z.int().min(-1e6).max(1e9)
/** Longer than any model hears at once. */
const mostSamples = 60 * 16_000

/** Pieces of a sound in which somebody speaks: all that a media worker needs to transcribe them while others do the rest. */
export const hearSpec = z.strictObject({
  kind: z.literal('hear'),
  version: z.literal(1),
  /** Samples of 32 bits, in the folder of the job. The excerpt begins with sample `from` of a sound of `length` samples. */
  files: z.tuple([z.strictObject({ name: z.string().regex(/^hear-\d{1,4}\.f32$/) })]),
  from: z.int().min(0).max(1e9),
  length: z.int().min(0).max(1e9),
  pieces: z
    .array(z.strictObject({ start: sample, end: sample }))
    .min(1)
    .max(2_000)
    .refine(
      (pieces) => pieces.every(({ start, end }) => start < end && end - start <= mostSamples),
      'A piece has no length, or too much of it',
    ),
  /** The model that transcribes, because another would give other words. */
  model: z.string().regex(/^[0-9a-f]{64}$/),
  /** As the model names it. */
  language: z.string().max(20).optional(),
  names: vocabulary.optional(),
})
export type HearSpec = z.infer<typeof hearSpec>

import { z } from 'zod'
import type { Speech } from '../timeline/speech.ts'

const word = z.object({
  startTime: z.number(),
  endTime: z.number(),
  text: z.string(),
  confidence: z.number().exactOptional(),
  speaker: z.string().exactOptional(),
})
/** Reads speech that was transcribed and kept. */
export const keptSpeech: z.ZodType<Speech> = z.object({
  language: z.string(),
  confidence: z.number().exactOptional(),
  doubt: z.string().exactOptional(),
  speakersCertain: z.boolean().exactOptional(),
  segments: z.array(
    word.omit({ confidence: true }).extend({ words: z.array(word).exactOptional() }),
  ),
})

import { z } from 'zod'

/** Every transcript is kept as one file of each. */
export const transcriptFormats = ['json', 'txt', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** More than anybody says in the time that is transcribed at all; it has to fit into one report and one row. */
export const maxTranscriptChars = 100_000

/** The code when nobody speaks, or in no language that was recognised. */
export const unheardLanguage = 'und'

export const languageCode = z.string().regex(/^[a-z]{2,3}$/)

const span = {
  startTime: z.number().min(0).describe('Seconds in the finished video'),
  endTime: z.number().min(0),
  text: z.string(),
}

/** Some ways to hear tell how sure they are. */
export const confidence = z.number().min(0).max(1)

const word = z.object({
  ...span,
  confidence: confidence
    .optional()
    .describe('How likely it is that this word was said, where the provider tells'),
})

export const transcriptSegment = z.object({
  ...span,
  words: z.array(word).optional().describe('When the provider times them'),
})
export type TranscriptSegment = z.infer<typeof transcriptSegment>

/** What the JSON file holds. */
export const transcriptFile = z.object({
  text: z.string(),
  language: languageCode,
  confidence: confidence.optional(),
  segments: z.array(transcriptSegment),
})
export type TranscriptFile = z.infer<typeof transcriptFile>

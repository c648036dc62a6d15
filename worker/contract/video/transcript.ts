import { z } from 'zod'

/** Every transcript is stored as one file in each of these formats. */
export const transcriptFormats = ['json', 'txt', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/**
 * More than anybody says in the four hours that a source may last; the text has to fit into one report, and into one row of
 * 2 MB beside the request.
 */
export const maxTranscriptChars = 400_000

/** The language code when nobody speaks, or the language was not recognised. */
export const unheardLanguage = 'und'

export const languageCode = z.string().regex(/^[a-z]{2,3}$/)

const span = {
  startTime: z.number().min(0).describe('Seconds in the finished video'),
  endTime: z.number().min(0),
  text: z.string(),
}

/** How sure the provider of the speech is; some providers do not say. */
export const confidence = z.number().min(0).max(1)

const word = z.object({
  ...span,
  confidence: confidence
    .optional()
    .describe('How likely it is that this word was said, if the provider says so'),
})

export const transcriptSegment = z.object({
  ...span,
  words: z.array(word).optional().describe('Present if the provider gives the time of each word'),
})
export type TranscriptSegment = z.infer<typeof transcriptSegment>

/** The content of the JSON file. */
export const transcriptFile = z.object({
  text: z.string(),
  language: languageCode,
  confidence: confidence.optional(),
  segments: z.array(transcriptSegment),
})
export type TranscriptFile = z.infer<typeof transcriptFile>

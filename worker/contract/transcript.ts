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

export const transcriptSegment = z.object({
  ...span,
  words: z.array(z.object(span)).optional().describe('When the provider times them'),
})
export type TranscriptSegment = z.infer<typeof transcriptSegment>

/** What the JSON file holds. */
export const transcriptFile = z.object({
  text: z.string(),
  language: languageCode,
  segments: z.array(transcriptSegment),
})
export type TranscriptFile = z.infer<typeof transcriptFile>

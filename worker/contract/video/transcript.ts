import { z } from 'zod'
import { limits } from '../limits.ts'

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

const speaker = z
  .string()
  .optional()
  .describe('Who says it, if speakers was asked for: a name of the request, or Speaker 1')

const word = z.object({
  ...span,
  speaker,
  confidence: confidence
    .optional()
    .describe('How likely it is that this word was said, if the provider says so'),
})

export const transcriptSegment = z.object({
  ...span,
  speaker,
  words: z.array(word).optional().describe('Present if the provider gives the time of each word'),
})
export type TranscriptSegment = z.infer<typeof transcriptSegment>

const speakerTimes = z.object({
  name: z.string().max(limits.speakerNameLength),
  seconds: z.number().min(0).describe('How long they speak'),
  heardAs: z
    .array(z.string().max(limits.speakerNameLength))
    .max(limits.speakers)
    .optional()
    .describe('What the job called them, if they were given this name afterwards'),
})

/** Who speaks, as the report, the record and the file tell it. */
export const whoSpeaks = {
  speakers: z
    .array(speakerTimes)
    .max(limits.speakers)
    .optional()
    .describe('Who speaks, in order of appearance, if speakers was asked for'),
  speakersCertain: z
    .boolean()
    .optional()
    .describe('False if the voices are too alike, or too short, to be sure of who speaks'),
}
export type WhoSpeaks = {
  readonly speakers?: z.infer<typeof speakerTimes>[] | undefined
  readonly speakersCertain?: boolean | undefined
}

/** The same, without what is not known. */
export function whoOf({ speakers, speakersCertain }: WhoSpeaks): WhoSpeaks {
  return {
    ...(speakers !== undefined && { speakers }),
    ...(speakersCertain !== undefined && { speakersCertain }),
  }
}

/** The content of the JSON file. */
export const transcriptFile = z.object({
  text: z.string(),
  language: languageCode,
  confidence: confidence.optional(),
  ...whoSpeaks,
  segments: z.array(transcriptSegment),
})
export type TranscriptFile = z.infer<typeof transcriptFile>

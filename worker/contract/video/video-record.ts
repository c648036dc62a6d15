import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { createVideo } from '../options/create-video.ts'
import { batchId, jobId, videoId } from '../ids.ts'
import { checkResults, shownCheck } from '../job/check.ts'
import { processingOptions } from '../options/options.ts'
import { output } from '../options/outputs/outputs.ts'
import {
  analysisData,
  failureReasons,
  removedSeconds,
  covered,
  moments,
  suggestion,
  videoMetadata,
} from '../job/report.ts'
import { reframed } from '../job/reframed.ts'
import { shownDelivery } from '../storages/destination.ts'
import { confidence, transcriptFormats, transcriptSegment, whoSpeaks } from './transcript.ts'
import { insightStatuses, phases, videoStatuses } from './video-state.ts'
import { timestamp } from '../timestamp.ts'

const shownInsight = z.enum(insightStatuses).exclude(['not_requested'])

/**
 * Links to the files of a transcript. Like the link to the video they need no key, so that a page that shows the video
 * can load them.
 */
const transcriptLinks = {
  transcriptUrl: z.url().optional().describe('The text as a file; absent once the files are gone'),
  vttUrl: z.url().optional().describe('Captions as WebVTT, for a track of a video on a page'),
  srtUrl: z.url().optional().describe('Captions as SubRip, for players and editors'),
}

const heardWith = {
  confidence: confidence
    .optional()
    .describe(
      'How sure the provider is of the text as a whole, if it says so; a doubtful text has an entry in `warnings`',
    ),
  ...whoSpeaks,
}

export const transcriptState = z.object({
  status: shownInsight,
  progress: z.number().min(0).max(100).optional(),
  text: z.string().optional().describe('The whole text, once completed'),
  language: z.string().optional().describe('Code of the language that was heard, such as en'),
  ...heardWith,
  ...transcriptLinks,
  error: z.string().optional().describe('Why it failed'),
})

export const analysisState = z.object({
  status: z.enum(insightStatuses),
  progress: z.number().min(0).max(100).optional(),
  data: analysisData.optional().describe('What was found, once completed'),
  error: z.string().optional().describe('Why it failed'),
})

/** The fields of every record, whatever its status. */
const head = {
  videoId,
  jobId: jobId.describe('The job that makes it; GET /v1/jobs/{jobId} has its attempts'),
  videoName: z.string(),
  status: z.enum(videoStatuses).describe('The last three are final'),
  progressPercent: z.number().min(0).max(100).describe('100 only once succeeded'),
  phase: z.enum(phases).optional().describe('What is being done, while running'),
  queuePosition: z
    .int()
    .min(1)
    .optional()
    .describe('While queued: its place in the line for a free media worker; 1 is next'),
  estimatedStartAt: timestamp
    .optional()
    .describe(
      'While queued: about when it begins, told from the running videos and from how long the last ones took',
    ),
  secondsElapsed: z
    .number()
    .min(0)
    .optional()
    .describe('Since the work has begun; once it has ended, how long it took'),
  secondsLeft: z
    .number()
    .min(0)
    .optional()
    .describe(
      'About how many seconds from now on it will be done, while queued or running; told from the pace of its work and from how long past videos took',
    ),
  secondsLeftRange: z
    .object({ least: z.number().min(0), most: z.number().min(0) })
    .optional()
    .describe('While that is uncertain: between how many seconds it most likely is'),
  hasTranscript: z
    .boolean()
    .describe('A transcript exists or may still come; false once it has failed or was dropped'),
  transcript: transcriptState.optional(),
  analysis: analysisState.optional(),
  batchId: batchId.optional().describe('The batch that it was created with, if it was'),
  createdAt: timestamp,
  lastUpdatedAt: timestamp,
}

/** An output as it was asked for, and its file once the video has succeeded. */
export const shownOutput = z.object({
  ...output.shape,
  title: z.string().optional().describe('Of a suggested clip: a sentence of it'),
  url: z.url().optional().describe('The file, once succeeded; needs no key'),
  format: z.string().optional().describe('mp4, mp3 and so on'),
  width: z.int().optional().describe('Pixels; absent from a sound'),
  height: z.int().optional().describe('Pixels; absent from a sound'),
  duration: z.number().optional().describe('Seconds'),
  bytes: z.int().optional().describe('Of all its files together'),
  files: z
    .array(z.object({ file: z.string(), url: z.url().optional(), bytes: z.int() }))
    .optional()
    .describe('Its further files, if it consists of several; they lie beside url by these names'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What could not be done exactly as asked for this output'),
  checks: z.array(shownCheck).optional().describe('What was found in it before it was stored'),
})
export type ShownOutput = z.infer<typeof shownOutput>

/** The record of GET /v1/videos/{videoId}: the request from the first moment on, and its results as they come. */
export const videoRecord = z.object({
  ...head,
  finalVideoUrl: z.url().optional().describe('The finished video, once succeeded'),
  thumbnailUrl: z.url().optional().describe('The still, when one was asked for'),
  reason: z.enum(failureReasons).optional().describe('Why the video failed, stable for programs'),
  errorMessage: z.string().optional().describe('Why the video, or only its transcript, failed'),
  videoMetadata: videoMetadata
    .optional()
    .describe('Properties of the finished video; absent with analyzeOnly, which makes none'),
  reusedFrom: videoId
    .optional()
    .describe(
      'The video whose result this is, if it was not made again, even if that is deleted by now; see `reuse`',
    ),
  removed: removedSeconds
    .optional()
    .describe('Seconds of the sources that are not in the finished video, once succeeded'),
  suggestions: z
    .array(suggestion)
    .optional()
    .describe('What could be cut, in order, once a job with analyzeOnly has succeeded'),
  moments: moments
    .optional()
    .describe(
      'What suggestClips and chapters found in what is said; in seconds of the finished video, or with analyzeOnly as keepSegments counts',
    ),
  covered: covered
    .optional()
    .describe(
      'What bleep and blurFaces covered; in seconds of the finished video, or with analyzeOnly as removeSegments counts',
    ),
  reframed: reframed
    .optional()
    .describe('What resizeMode follow shows, scene by scene; of the first result that follows'),
  translations: z
    .array(
      z.object({
        language: z.string().describe('As in captions.translateTo'),
        vttUrl: z.url().optional().describe('As WebVTT'),
        srtUrl: z.url().optional().describe('As SubRip'),
      }),
    )
    .optional()
    .describe('Captions in other languages, with the times of those of the video'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What was requested and could not be done exactly as requested'),
  checked: z
    .enum(checkResults)
    .optional()
    .describe(
      'The worst of all checks of its films; `failed` only if that is why the video failed',
    ),
  checks: z
    .array(shownCheck)
    .optional()
    .describe('What was found in the finished video, also in one that is not kept because of it'),
  linksExpireAt: timestamp.optional().describe('Read the record again for fresh links'),
  filesExpireAt: timestamp.optional().describe('After this the files are gone'),
  sourceExpiresAt: timestamp
    .optional()
    .describe('Until then its uploaded file can be used again, as `sourceVideoId`'),
  ...z.object(processingOptions).partial().shape,
  outputs: z
    .array(shownOutput)
    .optional()
    .describe('Each output that was asked for, with its file once succeeded, and suggested clips'),
  destinations: z
    .array(shownDelivery)
    .optional()
    .describe('What becomes of each result at each destination of the request'),
  ...createVideo.pick({
    fileUrl: true,
    files: true,
    uploadId: true,
    sourceVideoId: true,
    webhookUrl: true,
    metadata: true,
    preset: true,
    values: true,
    reuse: true,
  }).shape,
})
export type VideoRecord = z.infer<typeof videoRecord>

export const videoAccepted = z.object({
  videoId,
  jobId,
  status: z.literal('queued'),
  message: z.string().describe('For people'),
})
export type VideoAccepted = z.infer<typeof videoAccepted>

export const videoPlan = z.object({
  steps: z.array(z.string()).describe('What would be done, in this order, for people'),
  /** The request with the fields of its preset and all defaults. */
  request: createVideo,
})
export type VideoPlan = z.infer<typeof videoPlan>

export const transcriptQuery = closedObject({
  format: z
    .enum(transcriptFormats)
    .optional()
    .describe('json: this record with segments; txt, srt, vtt: the file itself'),
})

/** The answer of GET /v1/videos/{videoId}/transcript. */
export const transcriptRecord = z.object({
  videoId,
  text: z.string().describe('The whole text; empty when nobody speaks'),
  language: z
    .string()
    .describe('Code of the language that was heard, such as en; und when none was'),
  ...heardWith,
  ...transcriptLinks,
  createdAt: timestamp,
  segments: z.array(transcriptSegment).optional().describe('With format=json: what is said when'),
})
export type TranscriptRecord = z.infer<typeof transcriptRecord>

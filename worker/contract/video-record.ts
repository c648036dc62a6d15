import { z } from 'zod'
import { createVideo } from './create-video.ts'
import { jobId, videoId } from './ids.ts'
import { processingOptions } from './options.ts'
import { videoMetadata } from './report.ts'
import { insightStatuses, phases, videoStatuses } from './video-state.ts'

const timestamp = z.iso.datetime()
const shownInsight = z.enum(insightStatuses).exclude(['not_requested'])

export const transcriptState = z.object({
  status: shownInsight,
  progress: z.number().min(0).max(100).optional(),
  text: z.string().optional(),
  language: z.string().optional(),
  transcriptUrl: z.url().optional(),
})

export const analysisState = z.object({
  status: z.enum(insightStatuses),
  progress: z.number().min(0).max(100).optional(),
  data: z
    .object({ tags: z.array(z.string()), summary: z.string(), estimatedLocation: z.string() })
    .optional(),
  error: z.string().optional(),
})

/** Stands in every record, whatever its status. */
const head = {
  videoId,
  videoName: z.string(),
  status: z.enum(videoStatuses),
  progressPercent: z.number().min(0).max(100),
  phase: z.enum(phases).optional().describe('What is being done, while running'),
  hasTranscript: z.boolean(),
  transcript: transcriptState.optional(),
  analysis: analysisState.optional(),
  createdAt: timestamp,
  lastUpdatedAt: timestamp,
}

/** The record of GET /v1/videos/{videoId}: short while unfinished, whole once terminal. */
export const videoRecord = z.object({
  ...head,
  finalVideoUrl: z.url().optional(),
  thumbnailUrl: z.url().optional(),
  errorMessage: z.string().optional(),
  videoMetadata: videoMetadata.optional(),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What was asked and not honoured to the letter'),
  linksExpireAt: timestamp.optional(),
  filesExpireAt: timestamp.optional(),
  ...z.object(processingOptions).partial().shape,
  ...createVideo.pick({
    fileUrl: true,
    files: true,
    uploadId: true,
    webhookUrl: true,
    metadata: true,
  }).shape,
})
export type VideoRecord = z.infer<typeof videoRecord>

export const videoAccepted = z.object({
  videoId,
  jobId,
  status: z.literal('queued'),
  message: z.string(),
})
export type VideoAccepted = z.infer<typeof videoAccepted>

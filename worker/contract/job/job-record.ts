import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import type { errorTable } from '../answers/errors.ts'
import { jobId, videoId } from '../ids.ts'
import { attemptTrace, failureReasons } from './report.ts'
import { shownPart } from './shown-part.ts'
import { phases, videoStatuses } from '../video/video-state.ts'
import { timestamp } from '../timestamp.ts'

const attemptOutcomes = ['succeeded', 'failed', 'canceled', 'released', 'lost'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** The two errors that a job can end with; all others are answers to requests. */
const jobErrorCodes = [
  'ProcessingError',
  'StorageError',
] as const satisfies readonly (keyof typeof errorTable)[]

export const jobError = z.object({
  error: z.enum(jobErrorCodes),
  reason: z.enum(failureReasons).describe('Why, stable for programs'),
  message: z.string().describe('Why, for people; the errorMessage of the video'),
})

export const jobAttempt = z.object({
  attempt: z.int().min(1).describe('Counts from 1; a released attempt is not counted'),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
  outcome: z.enum(attemptOutcomes).nullable().describe('null while the attempt goes on'),
  fault: z
    .string()
    .nullable()
    .describe(
      'What ended it without a result, for people; null while it goes on and if it has one',
    ),
  phases: attemptTrace.shape.phases.describe('How long each phase took'),
  cpuSeconds: z
    .number()
    .min(0)
    .nullable()
    .describe(
      'Seconds of one processor that it took; null while it goes on, if its process was killed, and of attempts whose result was reused',
    ),
  commands: attemptTrace.shape.commands.describe('The programs that were run'),
  parts: z
    .array(shownPart)
    .describe(
      'Parts of a long film that other media workers render or have rendered at the same time',
    ),
  plan: z.unknown().describe('The plan of the rendering as JSON; its shape may change'),
})

/** The record of GET /v1/jobs/{jobId}. */
export const jobRecord = z.object({
  jobId,
  videoId,
  status: z.enum(videoStatuses).describe('The status of the video'),
  phase: z.enum(phases).nullable().describe('What is being done, while running'),
  progressPercent: z.number().min(0).max(100),
  error: jobError.nullable().describe('Why the job failed; null unless it did'),
  attempts: z.array(jobAttempt).describe('All attempts, oldest first'),
  createdAt: timestamp,
  startedAt: timestamp.nullable().describe('When a media worker first took it'),
  finishedAt: timestamp.nullable(),
  lastUpdatedAt: timestamp,
})
export type JobRecord = z.infer<typeof jobRecord>

/** The query of GET /v1/jobs, which lists the job of one video. The API does not list all jobs. */
export const listJobsQuery = closedObject({ videoId: videoId.describe('The job of this video') })

export const jobPage = z.object({
  data: z.array(jobRecord).describe('Empty when there is no such video, or it is not yours'),
  nextCursor: z.string().nullable().describe('Always null: a video has one job'),
})
export type JobPage = z.infer<typeof jobPage>

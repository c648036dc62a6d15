import { z } from 'zod'
import { limits } from '../limits.ts'
import { check } from './check.ts'
import { outputKind, phaseTiming } from './media-job.ts'
import { timeLeft, workDone } from './paces.ts'
import { shownScene } from './reframed.ts'
import { shownPart } from './shown-part.ts'
import { confidence, languageCode, maxTranscriptChars, whoSpeaks } from '../video/transcript.ts'
import { phases, timedWork } from '../video/video-state.ts'

/** The most works that a job reports. A service refuses a report with more. */
export const mostWorked = 20

/** Why a job failed, stable for programs; `docs/errors.md` says what to do about each. */
export const failureReasons = [
  'source_unreachable',
  'source_too_slow',
  'source_not_allowed',
  'source_too_large',
  'source_not_media',
  'source_undecodable',
  'element_unusable',
  'nothing_left',
  'output_too_large',
  'check_failed',
  'beyond_limit',
  'out_of_time',
  'out_of_resources',
  'storage_failed',
  'worker_lost',
  'internal',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Which commands ran and how long they took, kept with the attempt. Never contains an address or a secret. */
export const attemptTrace = z.object({
  phases: z.array(phaseTiming),
  commands: z.array(
    z.object({
      program: z.string(),
      args: z.array(z.string()),
      durationMs: z.number().min(0),
      exitCode: z.int().nullable(),
    }),
  ),
  /** Processor time of the attempt, also on other media workers; absent if its process was killed. */
  processorMs: z.number().min(0).optional(),
  /** The plan as JSON; its shape is the media engine's own. */
  plan: z.json().optional(),
  /** Parts that other media workers have rendered; the Worker adds them. */
  parts: z.array(shownPart).optional(),
  /** Why an attempt ended without a result; the Worker adds this. */
  fault: z.string().max(500).optional(),
})
export type AttemptTrace = z.infer<typeof attemptTrace>

/** How many seconds each kind of cut removed; no second counts twice. */
export const removedSeconds = z.object({
  segmentsSeconds: z
    .number()
    .describe(
      'Removed by removeSegments, of the request and of single files, as far as they lie in the video',
    ),
  textSeconds: z
    .number()
    .optional()
    .describe('Removed because of words or speakers from what removeSegments had left'),
  fillersSeconds: z
    .number()
    .optional()
    .describe('Removed by removeFillers from what these had left'),
  silenceSeconds: z.number().describe('Removed by removeSilence from what all others had left'),
})
export type RemovedSeconds = z.infer<typeof removedSeconds>

/** The part of a plan that the Worker reads. */
export const planWithCuts = z.object({ cuts: removedSeconds })

export const videoMetadata = z.strictObject({
  width: z.number().describe('Pixels'),
  height: z.number().describe('Pixels'),
  duration: z.number().describe('Seconds'),
  fps: z.number().describe('Frames per second'),
  sizeInBytes: z.number(),
})
export type VideoMetadata = z.infer<typeof videoMetadata>

/** A check of a finished film that only a later version knows is left out. */
const checks = z
  .array(z.unknown())
  .max(50)
  .transform((all) => all.flatMap((one) => check.safeParse(one).data ?? []))

/** One of `options.outputs` as it was made. */
const namedOutput = z.object({
  name: z.string(),
  /** The title of a suggested clip, and where it lies in the source. */
  title: z.string().max(200).optional(),
  clip: z.object({ startTime: z.number(), endTime: z.number() }).optional(),
  kind: outputKind,
  format: z.string(),
  /** Its further files, if it consists of several. */
  files: z.array(outputKind).max(64).optional(),
  /** Absent from a sound. */
  width: z.int().optional(),
  height: z.int().optional(),
  /** Absent from stills. */
  duration: z.number().optional(),
  warnings: z.array(z.string().max(500)).max(200),
  /** Absent if it is not a film. */
  checks: checks.optional(),
})
export type NamedOutput = z.infer<typeof namedOutput>

/** A word that only a later version knows; the value with it is left out. */
function newWord(known: readonly string[]) {
  return z
    .string()
    .refine((word) => !known.includes(word))
    .transform(() => undefined)
}

const newStatus = z
  .object({ status: newWord(['processing', 'completed', 'failed', 'not_requested']) })
  .transform(() => undefined)

const newTiming = z.object({ name: newWord(timedWork) }).transform(() => undefined)

const heardTrace = attemptTrace.extend({
  phases: z
    .array(phaseTiming.or(newTiming))
    .transform((timings) => timings.filter((timing) => timing !== undefined)),
})

const uploadedOutput = z.object({
  kind: outputKind,
  sizeBytes: z.int().min(1),
  parts: z.array(z.object({ partNumber: z.int().min(1), etag: z.string().min(1) })).min(1),
})

/** A transcript or an analysis that failed, which never fails the video. */
const insightFailure = z.object({ status: z.literal('failed'), message: z.string().max(500) })

/** The transcript or analysis could not be made at all; the warnings say why. */
const dropped = z.object({ status: z.literal('not_requested') })

const suggestionReasons = ['silence', 'filler', 'repeated_start'] as const

/** Without `why` and `text` it is an entry of `removeSegments`. */
export const suggestion = z.strictObject({
  startTime: z.number().describe('Second at which the part begins, as removeSegments counts'),
  endTime: z.number().describe('Second at which it ends'),
  why: z
    .enum(suggestionReasons)
    .describe('Nobody speaks; a word such as um; or a start that is said again'),
  text: z.string().max(500).optional().describe('What is said there; absent for a silence'),
})
export type Suggestion = z.infer<typeof suggestion>

const newSuggestion = z.object({ why: newWord(suggestionReasons) }).transform(() => undefined)

const suggestions = z
  .array(z.object(suggestion.shape).or(newSuggestion))
  .max(limits.removeSegments)
  .transform((all) => all.filter((one) => one !== undefined))

export const suggestedClip = z.strictObject({
  startTime: z.number().describe('Second at which it begins, in a pause before a sentence'),
  endTime: z.number().describe('Second at which it ends, in a pause after a sentence'),
  title: z.string().max(200).describe('A sentence of it, or its beginning'),
  score: z.number().min(0).max(1).describe('How much is to be said for it, from 0 to 1'),
  reasons: z.array(z.string().max(300)).max(20).describe('Why, for people'),
})
export type SuggestedClip = z.infer<typeof suggestedClip>

export const chapter = z.strictObject({
  startTime: z.number().describe('Second at which it begins: 0, or the start of a sentence'),
  title: z.string().max(200).describe('The words that it repeats, or its first sentence'),
})
export type Chapter = z.infer<typeof chapter>

/** Found in what is said. */
export const moments = z.strictObject({
  clips: z.array(suggestedClip).max(limits.suggestedClips).optional().describe('In order'),
  chapters: z
    .array(chapter)
    .max(100)
    .optional()
    .describe('In order; each ends where the next begins'),
})
export type Moments = z.infer<typeof moments>

const foundMoments = z.object({
  clips: z.array(z.object(suggestedClip.shape)).max(limits.suggestedClips).optional(),
  chapters: z.array(z.object(chapter.shape)).max(100).optional(),
})

const coveredPlace = z.strictObject({
  startTime: z.number().describe('Second at which it begins'),
  endTime: z.number().describe('Second at which it ends'),
  phrase: z.int().min(0).describe('The entry of `bleep` that is said there, from 0'),
})

export const mostPlaces = 200

const faceCounts = z.strictObject({
  tracks: z.int().min(0).describe('How many faces were followed; one that was lost counts again'),
  seconds: z.number().min(0).describe('Seconds of the sources in which some face is covered'),
  uncertainSeconds: z
    .number()
    .min(0)
    .describe(
      'Of these, where a face was not found but must be, before and after it was found and in between',
    ),
})
export type FaceCounts = z.infer<typeof faceCounts>

/** The words and faces that are covered. */
export const covered = z.strictObject({
  words: z
    .int()
    .min(0)
    .optional()
    .describe('How many times something of `bleep` is said and covered'),
  places: z
    .array(coveredPlace)
    .max(mostPlaces)
    .optional()
    .describe(`Where, in order; the first ${mostPlaces} of them`),
  faces: faceCounts.optional().describe('What blurFaces covered'),
})
export type Covered = z.infer<typeof covered>

const foundCovered = z.object({
  words: covered.shape.words,
  places: z.array(z.object(coveredPlace.shape)).max(mostPlaces).optional(),
  faces: z.object(faceCounts.shape).optional(),
})

const insightProgress = z.discriminatedUnion('status', [
  z.object({ status: z.literal('processing'), progress: z.number().min(0).max(100) }),
  dropped,
])
export type InsightProgress = z.infer<typeof insightProgress>

const transcriptResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('completed'),
    text: z.string().max(maxTranscriptChars),
    language: languageCode,
    /** Some providers leave it out. */
    confidence: confidence.optional(),
    ...whoSpeaks,
  }),
  insightFailure,
  dropped,
])
export type TranscriptResult = z.infer<typeof transcriptResult>

export const analysisData = z.strictObject({
  tags: z.array(z.string().min(1).max(100)).max(50),
  summary: z.string().max(5000),
  estimatedLocation: z.string().max(300).describe('`unknown` when nothing tells'),
})
export type AnalysisData = z.infer<typeof analysisData>

const analysisResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), data: z.object(analysisData.shape) }),
  insightFailure,
])
export type AnalysisResult = z.infer<typeof analysisResult>

const from = {
  fence: z.int().min(1),
  /** Grows with every report of an attempt; a report whose number is not above the last one is outdated. */
  sequence: z.int().min(1),
}

/** Shown to the customer, so it has no paths, no addresses and no stack. */
const failureMessage = z.string().min(1).max(500)

const succeeded = z
  .object({
    ...from,
    type: z.literal('succeeded'),
    outputs: z.array(uploadedOutput),
    /** Present if the request names outputs; `outputs` has the uploaded file of each. */
    named: z.array(namedOutput).max(limits.outputs).optional(),
    videoMetadata: z.object(videoMetadata.shape).optional(),
    /** The checks of the film that `videoMetadata` describes. */
    checks: checks.optional(),
    warnings: z.array(z.string().max(500)).max(200),
    transcript: transcriptResult.or(newStatus).optional(),
    analysis: analysisResult.or(newStatus).optional(),
    /** Present if the request asked for no video. The report then has no metadata, and no output if nothing was heard. */
    suggestions: suggestions.optional(),
    /** Present if clips or chapters were looked for, and the speech was heard. */
    moments: foundMoments.optional(),
    /** Present if words or faces were to be covered. */
    covered: foundCovered.optional(),
    /** Present if the crop followed people. */
    reframed: z.object({ scenes: z.array(z.object(shownScene.shape)), count: z.int() }).optional(),
    /** Tells how long the next jobs take. */
    worked: z.array(workDone).max(mostWorked).optional(),
    trace: heardTrace,
  })
  .refine(
    ({ outputs, named, videoMetadata: facts, suggestions: found }) =>
      found !== undefined || (outputs.length > 0 && (facts ?? named) !== undefined),
    'Needs outputs and videoMetadata, or suggestions',
  )

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The bytes of a file that a field of the request names. */
export const fetchedFile = z.object({ field: z.string().max(100), sha256 })
export type FetchedFile = z.infer<typeof fetchedFile>

/**
 * Sent when the files of a job are fetched, before any of them is examined. The answer is `stop` if a result of the same work
 * exists, with which the video has ended.
 */
const fetched = z.object({
  ...from,
  type: z.literal('fetched'),
  /** Changes whenever this media worker would make something else from the same job. */
  engine: z.string().min(1).max(100),
  /** By the field of the request that names each file. */
  files: z.array(fetchedFile).max(1000),
})

/**
 * A media worker's report about its claim. After a rollback it may come from a later version than this service; so that
 * the work is not lost because of a new word, unknown fields and values are left out.
 */
export const report = z.discriminatedUnion('type', [
  z.object({
    ...from,
    type: z.literal('progress'),
    /** Undefined if only a later version knows the phase. */
    phase: z.enum(phases).or(newWord(phases)),
    progressPercent: z.number().min(0).max(99),
    left: timeLeft.optional(),
    /** Present while the job waits for slow sources and has given up its slot. */
    slotFree: z.literal(true).optional(),
    /** Absent until work on it has begun. */
    transcript: insightProgress.or(newStatus).optional(),
    analysis: insightProgress.or(newStatus).optional(),
  }),
  fetched,
  succeeded,
  z.object({
    ...from,
    type: z.literal('failed'),
    reason: z.enum(failureReasons).or(z.string().transform((): FailureReason => 'internal')),
    message: failureMessage,
    /** True when another attempt may succeed. */
    retryable: z.boolean(),
    /** Present if a check is the reason: the faults found in the result, and the pictures that show them. */
    checks: checks.optional(),
    outputs: z.array(uploadedOutput).optional(),
    trace: heardTrace,
  }),
  /** The worker is being shut down: the job goes back to the queue and the attempt is not counted. */
  z.object({ ...from, type: z.literal('released'), trace: heardTrace }),
])
export type Report = z.infer<typeof report>
export type UploadedOutput = z.infer<typeof uploadedOutput>

export const reportAnswer = z.object({ action: z.enum(['carry-on', 'stop']) })
export type ReportAnswer = z.infer<typeof reportAnswer>

/** A media worker's answer to POST /jobs/cancel, sent once the work has stopped. */
export const cancelAnswer = z.object({ canceled: z.boolean(), trace: heardTrace.optional() })
export type CancelAnswer = z.infer<typeof cancelAnswer>

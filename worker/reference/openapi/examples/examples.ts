import { z } from 'zod'
import type { createVideo, CreateVideo } from '../../../contract/options/create-video.ts'
import type { Health } from '../../../contract/answers/health.ts'
import type { JobPage, JobRecord } from '../../../contract/job/job-record.ts'
import type { VideoPage } from '../../../contract/video/list-videos.ts'
import {
  optionsSchema,
  processingOptions,
  type ProcessingOptions,
} from '../../../contract/options/options.ts'
import type { Plan } from '../../../contract/video/video-plan.ts'
import { sayForesight } from '../../../contract/options/words/say-foresight.ts'
import { sayPlan } from '../../../contract/options/words/say-plan.ts'
import { serviceVersion } from '../../../contract/service-version.ts'
import type {
  TranscriptRecord,
  VideoAccepted,
  VideoPlan,
  VideoRecord,
} from '../../../contract/video/video-record.ts'
import { innerSchema, possibleValues } from '../../../contract/answers/wording.ts'

export type CreateBody = z.input<typeof createVideo>

export const videoId = 'v_3kTMd92L'
export const jobId = 'j_8Qm2xVb71LrTzC0p'
export const source = 'https://media.example.com/talks/keynote.mp4'
const files = 'https://files.example.com/files'

export const simpleRequest: CreateBody = { fileUrl: source }

/** A form has no types: `@` is how curl names a file. */
export const uploadRequest = { file: '@talk.mp4', compressionQuality: 80, removeSilence: true }

export const cleanRequest: CreateBody = {
  videoName: 'Keynote, cleaned',
  fileUrl: source,
  removeSilence: true,
  removeNoise: true,
  normalizeAudio: true,
  enableThumbnail: true,
  removeSegments: [{ startTime: 0, endTime: 4.5 }],
  webhookUrl: 'https://example.com/hooks/spool',
  metadata: { talk: 42 },
}

export const combineRequest: CreateBody = {
  combine: true,
  files: [
    {
      url: 'https://media.example.com/intro.mp4',
      ...{ disableAudio: true, transition: { type: 'crossfade', duration: 0.5 } },
    },
    { url: source, volume: 1.5, removeSegments: [{ startTime: 61, endTime: 75.25 }] },
  ],
  aspectRatio: '9:16',
  resizeMode: 'contain',
  backgroundColor: '#101820',
}

export const elementsRequest: CreateBody = {
  fileUrl: source,
  elements: [
    {
      type: 'image',
      url: 'https://media.example.com/logo.png',
      position: { anchor: 'top-right' },
      size: { width: '12%' },
      effects: { opacity: 0.8, fadeIn: { duration: 0.5 } },
    },
    {
      type: 'audio',
      url: 'https://media.example.com/music.mp3',
      loop: true,
      effects: { volume: 0.2, fadeOut: { duration: 3, easing: 'ease-out' } },
    },
  ],
}

export const presetRequest: CreateBody = {
  fileUrl: source,
  preset: 'clean-talk',
  removeNoise: false,
}

const planned: CreateVideo = {
  ...optionsSchema.parse({ removeSilence: true, normalizeAudio: true }),
  ...{ fileUrl: source, preset: 'clean-talk' },
}
export const plan: VideoPlan = { steps: sayPlan(planned), request: planned }

const talk: CreateVideo = {
  ...optionsSchema.parse({ removeSegments: [{ startTime: 0, endTime: 4.5 }] }),
  fileUrl: source,
}

/** A talk whose beginning is cut. */
const becomes = {
  sources: [
    {
      ...{ field: 'fileUrl', format: 'mp4', sizeInBytes: 48_211_904, duration: 185.2 },
      ...{ width: 1920, height: 1080, fps: 29.97, videoCodec: 'h264', audioCodec: 'aac' },
    },
  ],
  results: [
    {
      ...{ format: 'mp4', picture: 'copied but for 1 seam', whyEncoded: null, sound: 'encoded' },
      ...{ width: 1920, height: 1080 },
      duration: { likely: 180.7, least: 180.7, most: 180.7 },
      sizeInBytes: { likely: 47_040_000, least: 40_300_000, most: 54_900_000 },
    },
  ],
  ...{ warnings: [], refusal: null, unknown: [] },
  ...{ reusedFrom: null, wordsKept: false },
  startsIn: { likely: 0, least: 0, most: 0 },
  seconds: { likely: 9.4, least: 7.1, most: 12.6 },
  cpuSeconds: { likely: 12.2, least: 8.3, most: 18.1 },
  price: { likely: 0.00095, least: 0.000771, most: 0.00119 },
} satisfies Partial<Plan>

export const foreseen: Plan = {
  steps: sayPlan(talk),
  summary: sayForesight(becomes),
  ...becomes,
}

/** Every field that a create with one source can have. */
export const fullRequest: CreateBody = {
  fileUrl: source,
  preset: 'clean-talk',
  videoName: 'Keynote, everything',
  metadata: { talk: 42 },
  reuse: false,
  webhookUrl: 'https://example.com/hooks/spool',
  ...{ maxSeconds: 600, maxPrice: 0.5 },
  ...exampleOptions(),
  combine: false,
  removeSegments: [{ startTime: 0, endTime: 4.5 }],
  trim: { end: 2 },
  crop: { x: '10%', width: '80%' },
  color: { contrast: 1.1, saturation: 1.2 },
  flip: 'horizontal',
  fadeIn: { duration: 0.5 },
  fadeOut: { duration: 1, color: '#101820' },
  audio: { volume: 0.8, fadeOut: { duration: 2 } },
  cutTransition: { type: 'crossfade', duration: 0.3 },
  captions: { style: 'karaoke', position: 'bottom', uppercase: true },
  outputs: [
    { name: 'web' },
    { name: 'phone', aspectRatio: '9:16', captions: { style: 'box' } },
    { name: 'podcast', outputFormat: 'mp3' },
    { name: 'stream', outputFormat: 'hls', heights: [1080, 720, 480] },
  ],
  destinations: [{ storage: 'out', key: '{videoId}/{name}.{extension}' }],
  elements: [
    {
      type: 'image',
      url: 'https://media.example.com/logo.png',
      timing: { startTime: 1, endTime: 5 },
      position: { x: '5%', y: '5%' },
      size: { width: '12%', fit: 'contain' },
      effects: { opacity: 0.8, fadeIn: { duration: 0.5, easing: 'ease-out' } },
      zIndex: 2,
      comment: 'The logo of the conference',
    },
    {
      type: 'gif',
      url: 'https://media.example.com/wave.gif',
      timing: { entireVideo: true },
      loop: true,
    },
    { type: 'audio', url: 'https://media.example.com/music.mp3', effects: { volume: 0.2 } },
    {
      type: 'text',
      text: 'Opening words',
      position: { anchor: 'bottom-left' },
      timing: { endTime: 4 },
      outline: { width: '8%' },
    },
  ],
}

export const renameRequest = { videoName: 'Keynote, final cut' }

export const speakerNamesRequest = { speakerNames: { 'Speaker 1': 'Anna', 'Speaker 2': 'Ben' } }
export const metadataRequest = { metadata: { talk: 42, reviewed: true } }

export const accepted: VideoAccepted = {
  videoId,
  jobId,
  status: 'queued',
  message: 'The video is queued for processing.',
}

export const createdAt = '2026-11-21T10:14:21.480Z'

/** The part of every record that repeats its request: every option, and the default of each absent one. */
const echo = {
  fileUrl: source,
  webhookUrl: 'https://example.com/hooks/spool',
  metadata: { talk: 42 },
  ...optionsSchema.parse({
    removeSilence: true,
    removeNoise: true,
    normalizeAudio: true,
    enableThumbnail: true,
    removeSegments: [{ startTime: 0, endTime: 4.5 }],
  }),
} satisfies Partial<VideoRecord>

const head = {
  ...echo,
  videoId,
  jobId,
  videoName: 'Keynote, cleaned',
  hasTranscript: false,
  analysis: { status: 'not_requested' },
  createdAt,
} satisfies Partial<VideoRecord>

export const queuedVideo: VideoRecord = {
  ...head,
  status: 'queued',
  progressPercent: 0,
  lastUpdatedAt: createdAt,
}

export const runningVideo: VideoRecord = {
  ...head,
  status: 'running',
  progressPercent: 62,
  phase: 'rendering',
  secondsElapsed: 84.2,
  secondsLeft: 49.3,
  secondsLeftRange: { least: 41.7, most: 58.2 },
  lastUpdatedAt: '2026-11-21T10:14:52.007Z',
}

const ended = {
  ...head,
  warnings: [],
  lastUpdatedAt: '2026-11-21T10:15:03.215Z',
} satisfies Partial<VideoRecord>

const token = `${videoId}.final.1795860903.${'5d41402abc4b2a76'.repeat(4)}`

export const succeededVideo: VideoRecord = {
  ...ended,
  status: 'succeeded',
  progressPercent: 100,
  secondsElapsed: 131.8,
  finalVideoUrl: `${files}/${token}/Keynote%2C%20cleaned.mp4`,
  thumbnailUrl: `${files}/${token.replace('final', 'thumbnail')}/Keynote%2C%20cleaned.jpg`,
  videoMetadata: { width: 1920, height: 1080, duration: 1284.4, fps: 25, sizeInBytes: 214_003_911 },
  removed: { segmentsSeconds: 4.5, silenceSeconds: 211.1 },
  linksExpireAt: '2026-11-28T10:15:03.000Z',
  filesExpireAt: '2026-12-21T10:15:03.215Z',
}

const failure = 'fileUrl: the server answered 404'

export const failedVideo: VideoRecord = {
  ...ended,
  status: 'failed',
  progressPercent: 3,
  reason: 'source_unreachable',
  errorMessage: failure,
}

export const canceledVideo: VideoRecord = { ...ended, status: 'canceled', progressPercent: 62 }

export const videoPage: VideoPage = {
  data: [runningVideo],
  archived: false,
  nextCursor: 'MTc5NTI1NjA2MTQ4MC52XzNrVE1kOTJM',
}

export const transcript: TranscriptRecord = {
  videoId,
  text: 'Good morning, and thank you for coming.',
  language: 'en',
  confidence: 0.97,
  transcriptUrl: `${files}/${token.replace('final', 'transcript-txt')}/Keynote%2C%20cleaned.txt`,
  vttUrl: `${files}/${token.replace('final', 'transcript-vtt')}/Keynote%2C%20cleaned.vtt`,
  srtUrl: `${files}/${token.replace('final', 'transcript-srt')}/Keynote%2C%20cleaned.srt`,
  createdAt: '2026-11-21T10:15:03.215Z',
}

export const timedTranscript: TranscriptRecord = {
  ...transcript,
  segments: [
    {
      startTime: 0.42,
      endTime: 2.6,
      text: 'Good morning, and thank you for coming.',
      words: [
        { startTime: 0.42, endTime: 0.7, text: 'Good', confidence: 0.99 },
        { startTime: 0.7, endTime: 1.18, text: 'morning,', confidence: 0.98 },
      ],
    },
  ],
}

const job = {
  jobId,
  videoId,
  createdAt,
  startedAt: '2026-11-21T10:14:22.031Z',
  lastUpdatedAt: '2026-11-21T10:15:03.215Z',
} satisfies Partial<JobRecord>

export const succeededJob: JobRecord = {
  ...job,
  status: 'succeeded',
  phase: null,
  progressPercent: 100,
  error: null,
  attempts: [
    {
      attempt: 1,
      startedAt: '2026-11-21T10:14:22.031Z',
      finishedAt: '2026-11-21T10:15:03.215Z',
      outcome: 'succeeded',
      fault: null,
      phases: [
        { name: 'fetching', startedAt: '2026-11-21T10:14:22.040Z', durationMs: 3120 },
        { name: 'measuring', startedAt: '2026-11-21T10:14:25.160Z', durationMs: 5200 },
        { name: 'rendering', startedAt: '2026-11-21T10:14:30.360Z', durationMs: 30_910 },
        { name: 'uploading', startedAt: '2026-11-21T10:15:01.270Z', durationMs: 1890 },
      ],
      cpuSeconds: 64.812,
      commands: [
        { program: 'ffmpeg', args: ['-nostdin', '-i', 'in0'], durationMs: 30_880, exitCode: 0 },
      ],
      parts: [],
      plan: null,
    },
  ],
  finishedAt: '2026-11-21T10:15:03.215Z',
}

export const failedJob: JobRecord = {
  ...job,
  status: 'failed',
  phase: null,
  progressPercent: 3,
  error: { error: 'ProcessingError', reason: 'source_unreachable', message: failure },
  attempts: [],
  finishedAt: '2026-11-21T10:15:03.215Z',
}

export const jobPage: JobPage = { data: [failedJob], nextCursor: null }

export const healthy: Health = {
  status: 'ok',
  version: serviceVersion,
  checks: {
    database: { status: 'ok' },
    storage: { status: 'ok' },
    mediaWorkers: { status: 'ok' },
  },
}

export const unhealthy: Health = {
  ...healthy,
  status: 'failing',
  checks: {
    ...healthy.checks,
    mediaWorkers: { status: 'failing', message: 'no media worker answers' },
  },
}

/** Each option with a value other than its default, so that it does something; lists are left out. */
function exampleOptions(): Partial<ProcessingOptions> {
  const examples = Object.entries(processingOptions).flatMap(([name, option]) => {
    const example = exampleOf(option)
    return example === undefined ? [] : [[name, example] as const]
  })
  return Object.fromEntries(examples)
}

function exampleOf(option: z.ZodType): unknown {
  const given = option.meta()?.examples
  if (Array.isArray(given)) return given[0] as unknown
  const usual = option.safeParse(undefined).data
  const isFlag = innerSchema(option) instanceof z.ZodBoolean
  return isFlag ? !usual : possibleValues(option).find((value) => value !== usual)
}

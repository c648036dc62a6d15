import { z } from 'zod'
import { jobId, videoId } from '../ids.ts'
import { stillKinds } from './check.ts'
import { keptSegments, segments } from '../options/cuts.ts'
import { volume } from '../options/sound/film-audio.ts'
import { optionsSchema } from '../options/options.ts'
import { pictureClip } from '../options/picture/picture-clip.ts'
import { fits } from '../options/picture/picture-fields.ts'
import { transition } from '../options/picture/transition.ts'
import { transcriptFormats } from '../video/transcript.ts'
import { paces } from './paces.ts'
import { mostOfJob } from './most-of-job.ts'
import { timedWork } from '../video/video-state.ts'
import { timestamp } from '../timestamp.ts'

/**
 * Raise this when a media worker that only knows the former version would do the wrong thing, and let media workers accept both
 * until the release after. A field that may be left out needs no new version.
 */
export const protocolVersion = 1

/**
 * `customer` addresses are vetted before every connection. The other two are the service's own: `storage` is signed for this
 * job, and `link` was given to a customer earlier, so its file may be gone by now.
 */
const origin = z.enum(['customer', 'storage', 'link'])

const input = z.strictObject({
  /** The request field the address came from, for error messages: `fileUrl`, `files[2].url`. */
  field: z.string(),
  url: z.string(),
  origin,
  removeSegments: segments.optional(),
  keepSegments: keptSegments.optional(),
  disableAudio: z.boolean().optional(),
  volume: volume.optional(),
  transition: transition.optional(),
  /** If it is a picture. */
  ...pictureClip,
  fit: z.enum(fits).optional(),
  /** The hash of the bytes, if an earlier job has read them: a plan does not fetch the whole of a large file. */
  sha256: z.string().optional(),
})

/**
 * The job as it is sent to a media worker. The schema is strict: a media worker refuses a job with a field it does not know,
 * because doing half of the job would look like success. That is why media workers are deployed before the Worker.
 */
export const mediaJob = z.strictObject({
  version: z.literal(protocolVersion),
  jobId,
  videoId,
  /** The account, so that jobs of one account do not keep those of others from a slot. */
  account: z.string().min(1),
  /** Grows with every claim and never repeats; every report carries it. */
  fence: z.int().min(1),
  attempt: z.int().min(1),
  inputs: z.array(input).min(1),
  options: optionsSchema,
  /**
   * Where the file of each of `options.elements` is fetched. The option keeps the address as the customer wrote it, because the
   * parsed form may be longer than an option may be. Null for an element without a file.
   */
  elementSources: z.array(input.pick({ url: true, origin: true }).nullable()).optional(),
  /** Where the other files that options name are fetched: fonts and captions. */
  beside: z.array(input.pick({ field: true, url: true, origin: true })).optional(),
  /** The name of the video, for the tags of files that have any; given if `options.outputs` asks for sounds. */
  title: z.string().max(255).optional(),
  paces: paces.optional(),
  /** For a plan, which does not transcribe: the words that an earlier job has heard, and their name. */
  heard: z.strictObject({ name: z.string(), text: z.string() }).optional(),
  /** The most that the customer lets the job take. */
  most: mostOfJob.optional(),
  reports: z.strictObject({
    /** Reports are sent here. Requests for upload addresses go to the same URL with `/outputs` appended. */
    url: z.string(),
    /** Signs both, for this job and fence only. */
    key: z.string(),
    heartbeatSeconds: z.number().positive(),
  }),
})

export type MediaJob = z.infer<typeof mediaJob>

export type MediaInput = z.infer<typeof input>

export const transcriptKinds = transcriptFormats.map((format) => `transcript-${format}` as const)
export const outputKinds = ['final', 'thumbnail', ...stillKinds, ...transcriptKinds] as const
/**
 * One of `options.outputs`, by its name, or a further file of an output that consists of several: `output-web.v720`. The
 * first video among them is the `final` one.
 */
type NamedKind = `output-${string}`
export type OutputKind = (typeof outputKinds)[number] | NamedKind | TranslationKind

/** Captions in another language: `captions-es-vtt`. */
type TranslationKind = `captions-${string}-${'vtt' | 'srt'}`
const translationPattern = /^captions-[a-z]{2,3}-(?:vtt|srt)$/

export function translationKind(language: string, format: 'vtt' | 'srt'): TranslationKind {
  return `captions-${language}-${format}`
}

export function namedKind(name: string): NamedKind {
  return `output-${name}`
}

/** A further file of an output. Its files refer to each other by the names of `fileInFolder`. */
export function partKind(name: string, part: string): NamedKind {
  return `output-${name}.${part}`
}

/** The name of a file beside the others of its output: `index.m3u8`, `v720.mp4`. */
export function fileInFolder(kind: OutputKind, extension: string): string {
  return `${kind.split('.')[1] ?? 'index'}.${extension}`
}

const namedPattern = /^output-[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:\.(?!index$)[a-z0-9]{1,20})?$/

export const outputKind = z.union([
  z.enum(outputKinds),
  z.custom<NamedKind>((kind) => typeof kind === 'string' && namedPattern.test(kind)),
  z.custom<TranslationKind>((kind) => typeof kind === 'string' && translationPattern.test(kind)),
])

/** Sent when an output is finished and its size is known; the answer has an address for each of its parts. */
export const outputRequest = z.strictObject({
  fence: z.int().min(1),
  kind: outputKind,
  extension: z.string().regex(/^[a-z0-9]{2,5}$/),
  contentType: z.string().max(100),
  sizeBytes: z.int().min(1),
})

/** Every part but the last is `partSizeBytes` long. */
export const outputGrant = z.object({
  partSizeBytes: z.int().min(1),
  parts: z.array(z.object({ partNumber: z.int().min(1), url: z.string() })).min(1),
})

export type OutputRequest = z.infer<typeof outputRequest>
export type OutputGrant = z.infer<typeof outputGrant>

/** Sent by the Worker, signed like a job, when a video is canceled while it runs. */
export const cancelRequest = z.object({
  jobId,
  fence: z.int().min(1),
  /** Only this try of this part; a media worker may have the job itself too. */
  part: z.object({ n: z.int(), try: z.int() }).optional(),
})
export type CancelRequest = z.infer<typeof cancelRequest>

/** A media worker's answer to GET /health. `version` is the oldest protocol whose jobs it takes. */
export const mediaWorkerHealth = z.object({
  status: z.literal('ok'),
  version: z.int(),
  slots: z.int(),
  running: z.int(),
  /** Further jobs that wait for slow sources. */
  fetching: z.int(),
  /** It has been told to stop, and accepts no more jobs. */
  stopping: z.boolean(),
  /** The version of the programs that make its results, as its reports name it. */
  engine: z.string().optional(),
  /** The disk that it works on. */
  disk: z.object({ freeBytes: z.number(), reserveBytes: z.number() }),
})

export const phaseTiming = z.object({
  name: z.enum(timedWork),
  startedAt: timestamp,
  durationMs: z.number().min(0),
})

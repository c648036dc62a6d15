import { z } from 'zod'
import { jobId, videoId } from './ids.ts'
import { optionsSchema, segments } from './options.ts'
import { transcriptFormats } from './transcript.ts'
import { timedWork } from './video-state.ts'

/**
 * Raised whenever a media worker that knows only the former one would do the wrong thing. Each version of a media worker
 * takes jobs of the former protocol too, so what is new in one is optional until the next.
 */
export const protocolVersion = 2
export const formerVersion = 1

/**
 * `customer` addresses are vetted before every connection. The others are our own: `storage` signed for this job, and
 * `link` handed out before, so that its file may be gone.
 */
const origin = z.enum(['customer', 'storage', 'link'])

const input = z.strictObject({
  /** The request field the address came from, for error messages: `fileUrl`, `files[2].url`. */
  field: z.string(),
  url: z.string(),
  origin,
  removeSegments: segments.optional(),
  disableAudio: z.boolean().optional(),
})

/**
 * What a media worker is asked to do. Strict: a worker that meets a field it does not know refuses the job, because
 * doing half of it would look like success. Media workers are therefore deployed before the Worker.
 */
export const mediaJob = z.strictObject({
  version: z.literal([formerVersion, protocolVersion]),
  jobId,
  videoId,
  /** Whose it is: jobs of one account do not keep those of others from a slot. Since version 2. */
  account: z.string().min(1).optional(),
  /** Grows with every claim and never repeats; every report carries it. */
  fence: z.int().min(1),
  attempt: z.int().min(1),
  inputs: z.array(input).min(1),
  options: optionsSchema,
  /**
   * One for each of `options.elements`: where it is fetched. The address in the option stays as the customer wrote it,
   * whose parsed form may be longer than an option may be.
   */
  elementSources: z.array(input.pick({ url: true, origin: true })).optional(),
  reports: z.strictObject({
    /** Reports go here; requests for upload addresses to the same URL with `/outputs` behind it. */
    url: z.string(),
    /** Signs both, for this job and fence only. */
    key: z.string(),
    heartbeatSeconds: z.number().positive(),
  }),
})

export type MediaJob = z.infer<typeof mediaJob>

/** The same job for a media worker of the former version. It refuses an option that it does not know all the same. */
export function inFormerVersion(job: MediaJob): MediaJob {
  return { ...job, account: undefined, version: formerVersion }
}

export type MediaInput = z.infer<typeof input>

export const transcriptKinds = transcriptFormats.map((format) => `transcript-${format}` as const)
export const outputKinds = ['final', 'thumbnail', ...transcriptKinds] as const
export type OutputKind = (typeof outputKinds)[number]

/** Asked when an output is finished and its size known; answered with addresses for its parts. */
export const outputRequest = z.strictObject({
  fence: z.int().min(1),
  kind: z.enum(outputKinds),
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
export const cancelRequest = z.object({ jobId, fence: z.int().min(1) })

/** What a media worker says of itself on GET /health: `version` is the oldest protocol that it takes jobs of. */
export const mediaWorkerHealth = z.object({
  status: z.literal('ok'),
  version: z.int(),
  slots: z.int(),
  running: z.int(),
})

export const phaseTiming = z.object({
  name: z.enum(timedWork),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
})

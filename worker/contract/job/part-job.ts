import { z } from 'zod'
import { jobId } from '../ids.ts'
import { outputGrant, protocolVersion } from './media-job.ts'
import { hearSpec } from './hear-spec.ts'
import { partSpec } from './part-spec.ts'

/**
 * Messages about parts of a film. The lead is the media worker that holds the job; it asks the service for others that render
 * parts. A media worker that was given a part reports to the service, where the lead asks about it.
 */

const fence = z.int().min(1)

/** When a film is begun again at another quality, the numbers of its parts continue from the next multiple of this. */
export const partsOfARound = 500

/** Which part, and which try of it. A try never repeats within an attempt, so that each has an object of its own. */
const partTry = z.object({ n: z.int().min(0).max(9_999), try: z.int().min(1).max(999) })
export type PartTry = z.infer<typeof partTry>

/** Pictures to encode, or speech to transcribe. */
const workSpec = z.union([partSpec, hearSpec])
export type WorkSpec = z.infer<typeof workSpec>

/** A file in the folder of a job, or one folder below it. */
const fileName = z
  .string()
  .max(200)
  .regex(/^\w[\w .-]*(\/\w[\w .-]*)?$/)

/** `source`: the uploaded file of the video, which is in the bucket already. */
const partFile = z.object({ name: fileName, from: z.enum(['stored', 'source']) })
export type PartFile = z.infer<typeof partFile>

const uploadedParts = z
  .array(z.object({ partNumber: z.int().min(1), etag: z.string().min(1) }))
  .min(1)

export const partResult = z.object({
  sizeBytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  pictures: z.int().min(0),
  cpuMs: z.number().min(0),
  /** Hashes of the pictures at the ends of the part, which neighbouring parts must have too. */
  edges: z.array(z.string().max(200)).max(20),
})

/**
 * A part of a job, for `POST /jobs`. Strict, like a whole job: a media worker that does not know such jobs refuses them, which
 * counts as having no free slot.
 */
export const partJob = z.strictObject({
  kind: z.literal('part'),
  version: z.literal(protocolVersion),
  jobId,
  account: z.string().min(1),
  fence,
  ...partTry.shape,
  spec: workSpec,
  files: z.array(z.strictObject({ name: fileName, url: z.string() })).max(200),
  reports: z.strictObject({
    /** Requests for upload addresses go to the same URL with `/outputs` appended. */
    url: z.string(),
    /** Signs both, for this try of this part only. */
    key: z.string(),
    heartbeatSeconds: z.number().positive(),
  }),
})
export type PartJob = z.infer<typeof partJob>

/** Large, because the captions of a long film are long, and each part has those that it shows. */
export const partJobBytes = 8_000_000

/** The name of a transcribed window, made from its content and from the model: all windows of that name were transcribed alike. */
const windowName = z.string().regex(/^[0-9a-f]{64}$/)
/** How many windows are asked for at a time. One takes a few ten thousand characters; an object stores 2 MB in one place. */
export const windowsAtOnce = 20
export const mostWindowText = 1_000_000
const windowText = z.string().max(mostWindowText)

/** The questions of the lead. */
export const partsRequest = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('idle'), fence }),
  /** Addresses to upload a file to that parts read. */
  z.object({ ask: z.literal('store'), fence, name: fileName, sizeBytes: z.int().min(1) }),
  z.object({ ask: z.literal('stored'), fence, name: fileName, parts: uploadedParts }),
  z.object({
    ask: z.literal('give'),
    fence,
    ...partTry.shape,
    spec: workSpec,
    files: z.array(partFile).max(200),
  }),
  z.object({ ask: z.literal('state'), fence, parts: z.array(partTry).max(1_000) }),
  z.object({ ask: z.literal('stop'), fence, parts: z.array(partTry).max(1_000) }),
  /** Keeps a transcript for a later attempt, until the job ends. */
  z.object({ ask: z.literal('keep'), fence, name: windowName, text: windowText }),
  z.object({ ask: z.literal('kept'), fence, names: z.array(windowName).max(windowsAtOnce) }),
  /** The same for the whole transcript of a sound, for later jobs of the account too. */
  z.object({ ask: z.literal('remember'), fence, name: windowName, text: windowText }),
  z.object({ ask: z.literal('recall'), fence, names: z.array(windowName).max(2) }),
])
export type PartsRequest = z.infer<typeof partsRequest>

/** How much is encoded so far, including pictures that only warm the encoder up. */
const encoded = { pictures: z.int().min(0), bytes: z.int().min(0) }

const toldPart = z.discriminatedUnion('state', [
  partTry.extend({ state: z.literal('running'), ...encoded }),
  partTry.extend({ state: z.literal('stored'), url: z.string(), result: partResult }),
  partTry.extend({ state: z.literal('failed'), why: z.string() }),
])
export type ToldPart = z.infer<typeof toldPart>

/** How many more parts could be rendered now, and how many of these on the machine of the lead, whose cores they share. */
const idleSlots = z.object({ idle: z.int().min(0), beside: z.int().min(0) })
export type IdleSlots = z.infer<typeof idleSlots>

/** Whether nothing is kept for later jobs, so that asking is useless. */
const off = z.boolean()

const keptTexts = z.object({ windows: z.array(z.object({ name: windowName, text: windowText })) })

/** The answers, one kind for each request. */
export const partsAnswers = {
  idle: idleSlots,
  store: outputGrant,
  stored: z.object({}),
  give: z.object({ taken: z.boolean() }),
  state: z.object({ parts: z.array(toldPart) }),
  stop: z.object({}),
  keep: z.object({}),
  kept: keptTexts,
  remember: z.object({ off }),
  recall: keptTexts.extend({ off }),
} as const satisfies Record<PartsRequest['ask'], z.ZodType>
export type PartsAnswer = z.infer<(typeof partsAnswers)[PartsRequest['ask']]>

const ofTry = { fence, ...partTry.shape }

/** A media worker's report about its part. It is answered like a report about a job. */
export const partReport = z.discriminatedUnion('type', [
  z.object({ ...ofTry, type: z.literal('progress'), ...encoded }),
  z.object({ ...ofTry, type: z.literal('done'), result: partResult, parts: uploadedParts }),
  z.object({ ...ofTry, type: z.literal('failed'), message: z.string().max(500) }),
  z.object({ ...ofTry, type: z.literal('released') }),
])
export type PartReport = z.infer<typeof partReport>

export const partOutputRequest = z.object({ ...ofTry, sizeBytes: z.int().min(1) })
export type PartOutputRequest = z.infer<typeof partOutputRequest>

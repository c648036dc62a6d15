import { z } from 'zod'
import { closedObject } from './closed-object.ts'
import type { FieldFault } from './errors.ts'
import { listFaults } from './faults.ts'
import { uploadId } from './ids.ts'
import { limits } from './limits.ts'
import { mediaUrl } from './media-url.ts'
import { processingOptions, segments } from './options.ts'

const videoName = z
  .string()
  .min(1, { error: 'Must not be empty', abort: true })
  .max(limits.videoNameLength, `Must be at most ${limits.videoNameLength} characters`)
  .refine((name) => !/\p{Cc}/u.test(name), 'Must not contain control characters')
  .refine((name) => name.isWellFormed(), 'Must be well-formed Unicode')
  .refine((name) => name.trim() !== '', 'Must not be blank')

const metadata = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Must be an object',
  )
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= limits.metadataBytes,
    `Must be at most ${limits.metadataBytes} bytes of JSON`,
  )
  .meta({ type: 'object', additionalProperties: true })

export const fileEntry = closedObject({
  url: mediaUrl.describe('Address of the clip'),
  removeSegments: segments.optional().describe('Parts of this clip to leave out'),
  disableAudio: z.boolean().optional().describe('Join this clip without its sound'),
})

/** What a create request says beside its source: the same fields in JSON and in a form. */
export const requestFields = {
  videoName: videoName.optional().describe('Name of the video; made from the source when absent'),
  webhookUrl: mediaUrl
    .optional()
    .describe('To be told when the video has reached its end, by a signed POST'),
  metadata: metadata.optional().describe('An object of your own, echoed and sent in webhooks'),
  ...processingOptions,
} as const

const sourceFields = ['fileUrl', 'files', 'uploadId'] as const

/** What `sourceFaults` says, for readers of the JSON Schema. Not oneOf: it blurs the types of generated clients. */
const sourceRules = {
  not: {
    anyOf: [
      { not: { anyOf: sourceFields.map((field) => ({ required: [field] })) } },
      { required: ['fileUrl', 'files'] },
      { required: ['fileUrl', 'uploadId'] },
      { required: ['files', 'uploadId'] },
    ],
  },
  if: { required: ['files'] },
  then: { required: ['combine'], properties: { combine: { const: true } } },
  else: { properties: { combine: { const: false } } },
}

export const createVideo = closedObject({
  fileUrl: mediaUrl
    .optional()
    .describe('Address of one source video. Give exactly one of fileUrl, files and uploadId'),
  files: z
    .array(fileEntry)
    .min(1, 'Must name at least one file')
    .max(limits.files, `At most ${limits.files} files`)
    .optional()
    .describe('Source videos to be combined; needs combine: true'),
  uploadId: uploadId.optional().describe('A finished direct upload'),
  ...requestFields,
}).meta(sourceRules)

/** The form of an upload: the file is its own source, so nothing names another one. */
export const uploadVideo = closedObject(
  { ...requestFields, combine: z.literal(false, 'Uploads cannot be combined').default(false) },
  {
    fileUrl: 'fileUrl is not used with an upload; the file is the source',
    files: 'files is not supported with an upload',
    uploadId: 'uploadId is not used with an upload; the file is the source',
  },
)

export const renameVideo = closedObject({ videoName })

export type CreateVideo = z.infer<typeof createVideo>
export type FileEntry = z.infer<typeof fileEntry>

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; faults: FieldFault[] }

/** All faults of a body at once: those of single fields and those between fields. */
export function parseCreateVideo(input: unknown): Parsed<CreateVideo> {
  const parsed = createVideo.safeParse(input)
  const faults = [
    ...(parsed.success ? [] : listFaults(parsed.error, input)),
    ...(isObject(input) ? sourceFaults(input) : []),
  ]
  if (parsed.success && faults.length === 0) return { ok: true, value: parsed.data }
  return { ok: false, faults }
}

function sourceFaults(body: Record<string, unknown>): FieldFault[] {
  const given = sourceFields.filter((field) => body[field] !== undefined)
  if (given.length === 0) {
    return sourceFields.map((field) => ({
      field,
      message: 'Give exactly one of fileUrl, files and uploadId',
    }))
  }
  if (given.length > 1) {
    return given.map((field) => ({
      field,
      message: `Give exactly one of fileUrl, files and uploadId, not ${given.join(' and ')}`,
    }))
  }
  if (given[0] === 'files' && body['combine'] !== true) {
    return [{ field: 'combine', message: 'Must be true when files is used' }]
  }
  if (given[0] !== 'files' && body['combine'] === true) {
    return [{ field: 'combine', message: 'Must not be true without files' }]
  }
  return []
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

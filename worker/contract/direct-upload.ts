import { z } from 'zod'
import { closedObject } from './input/closed-object.ts'
import { uploadId, videoId } from './ids.ts'
import { limits } from './limits.ts'
import { worded } from './answers/wording.ts'
import { textUpTo, wellFormed, withoutControls } from './input/text.ts'
import { timestamp } from './timestamp.ts'

/** R2 accepts at most this many parts in one multipart upload. */
export const mostParts = 10_000

/** The name of a file or a video. */
export const nameText = textUpTo(limits.videoNameLength)
  .min(1, { error: 'Must not be empty', abort: true })
  .refine(...withoutControls)
  .refine(...wellFormed)

const fileName = worded(nameText, 'the name of the file, such as "talk.mp4"')

export const createUpload = worded(
  closedObject({
    fileName: fileName.describe(
      'Name of the file; a video created without a videoName is named after it',
    ),
    sizeInBytes: worded(
      z.int().min(1, 'Must be at least 1 byte'),
      'a whole number of bytes',
    ).describe('Size of the whole file'),
    contentType: worded(
      textUpTo(100).regex(/^[\w.+-]+\/[\w.+-]+$/),
      'a media type such as "video/mp4"',
    )
      .default('application/octet-stream')
      .describe('Stored with the file; the format is detected from its bytes'),
  }),
  'an object such as {"fileName": "talk.mp4", "sizeInBytes": 20000000}',
)

const partRange = `Must be from 1 to ${mostParts}`
const partNumber = worded(
  z.int().min(1, partRange).max(mostParts, partRange),
  'the number of a part, such as 1',
)
const etag = worded(
  z.string().min(1, 'Must not be empty').max(1000),
  'the ETag returned for the part',
)
const smallestPart = '{"partNumber": 1, "etag": "\\"9f86d081884c7d65\\""}'

export const completeUpload = worded(
  closedObject({
    parts: worded(
      z
        .array(worded(closedObject({ partNumber, etag }), `an object such as ${smallestPart}`))
        .max(mostParts),
      `a list such as [${smallestPart}]`,
    )
      .optional()
      .describe('Every part with the ETag that its PUT returned, to be compared with what arrived'),
  }),
  'an object, or absent',
)
export type SentPart = { partNumber: number; etag: string }

export const partAddress = z.object({
  partNumber,
  url: z.url().describe('PUT the bytes of this part here; needs no API key'),
})

const uploadStatuses = ['open', 'ready', 'refused', 'used'] as const

/** The answer of POST /v1/uploads. */
export const uploadOpened = z.object({
  uploadId,
  partSize: z.int().describe('Bytes of every part but the last'),
  parts: z.array(partAddress),
  expiresAt: timestamp.describe('After this the upload and its addresses are gone'),
})

export const receivedPart = z.object({
  partNumber,
  etag: z.string().describe('As in the ETag header of the answer to its PUT, quotes included'),
  sizeInBytes: z.int(),
})
export type ReceivedPart = z.infer<typeof receivedPart>

/** The answer of GET /v1/uploads/{uploadId}. */
export const uploadRecord = z.object({
  uploadId,
  status: z
    .enum(uploadStatuses)
    .describe(
      'open: waiting for parts; ready: a video can be made; refused: not a file that videos are made of; used: a video was made',
    ),
  fileName: z.string(),
  sizeInBytes: z.int(),
  partSize: z.int().describe('Bytes of every part but the last'),
  receivedParts: z.array(receivedPart),
  parts: z.array(partAddress).describe('The missing parts, with fresh addresses'),
  message: z.string().optional().describe('Why the file was refused'),
  videoId: videoId.optional().describe('The video that was made from it'),
  expiresAt: timestamp,
})

/** The answer of POST /v1/uploads/{uploadId}/complete. */
export const uploadCompleted = z.object({
  uploadId,
  status: z.literal('ready'),
  expiresAt: timestamp.describe('Until then a video can be made from it'),
})

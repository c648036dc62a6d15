import { knownVideos } from '../../../contract/video/sniff-format.ts'
import * as uploads from '../../../contract/direct-upload.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { conflict, failure, fault, invalid, sharedFailure, wrong } from '../failures.ts'
import { linkPart } from '../parameters.ts'
import type { z } from 'zod'
import type {
  ReceivedPart,
  uploadCompleted,
  uploadOpened,
  uploadRecord,
} from '../../../contract/direct-upload.ts'

const uploadId = 'u_Zb4nR8xK2mQ7tW1c'
const expiresAt = '2026-11-22T10:14:21.902Z'
const partSize = 8_388_608

const urlOf = (partNumber: number) =>
  `https://spool.example.com/parts/${uploadId}.${partNumber}.1795342461.${'5d41402abc4b2a76'.repeat(4)}`

const address = (partNumber: number) => ({ partNumber, url: urlOf(partNumber) })

const createUploadRequest = {
  fileName: 'keynote.mp4',
  sizeInBytes: 20_000_000,
  contentType: 'video/mp4',
}

const opened: z.infer<typeof uploadOpened> = {
  uploadId,
  partSize,
  parts: [address(1), address(2), address(3)],
  expiresAt,
}

const receivedPart: ReceivedPart = {
  partNumber: 1,
  etag: '"9f86d081884c7d65"',
  sizeInBytes: partSize,
}

const record = {
  uploadId,
  fileName: createUploadRequest.fileName,
  sizeInBytes: createUploadRequest.sizeInBytes,
  partSize,
  expiresAt,
}

const interrupted: z.infer<typeof uploadRecord> = {
  ...record,
  status: 'open',
  receivedParts: [receivedPart],
  parts: [address(2), address(3)],
}

const used: z.infer<typeof uploadRecord> = {
  ...record,
  status: 'used',
  receivedParts: [
    receivedPart,
    { ...receivedPart, partNumber: 2, etag: '"60303ae22b998861"' },
    { partNumber: 3, etag: '"fd61a03af4f77d87"', sizeInBytes: 3_222_784 },
  ],
  parts: [],
  videoId: 'v_3kTMd92L',
}

const completeUploadRequest = {
  parts: used.receivedParts.map(({ partNumber, etag }) => ({ partNumber, etag })),
}

const completed: z.infer<typeof uploadCompleted> = {
  uploadId,
  status: 'ready',
  expiresAt: '2026-11-22T10:16:02.117Z',
}

export const createUpload: Described = {
  summary: 'Open an upload',
  description:
    'For files of any size, behind any proxy, from servers and browsers: send the file in parts, each to its own address, then complete the upload and create a video with its `uploadId`.',
  body: takes(uploads.createUpload, 'The file that will be sent.', {
    upload: ['A file of 20 MB', createUploadRequest],
  }),
  responses: {
    201: answer(
      'The upload is open for its parts.',
      'UploadOpened',
      { opened: ['Three parts', opened] },
      ['Location'],
    ),
    400: invalid({ size: wrong('sizeInBytes', 'Must be at least 1 byte') }),
    413: failure('The file or the JSON is larger than the service accepts.', {
      file: fault('PayloadTooLarge', 'sizeInBytes: Must be at most 2147483648 bytes', {
        details: [{ field: 'sizeInBytes', message: 'Must be at most 2147483648 bytes' }],
      }),
    }),
  },
}

export const getUpload: Described = {
  summary: 'Read an upload',
  description:
    'The parts that have arrived, and addresses for those that have not: all that a client needs to continue after an interruption. Needs write access, because parts can be sent to these addresses.',
  responses: {
    200: answer('The upload.', 'Upload', {
      open: ['One of three parts has arrived', interrupted],
      used: ['Used by a video', used],
    }),
  },
}

const notAllParts = 'Not all parts have been received; missing: 2, 3.'
const partReplaced =
  'A part was sent again meanwhile. Send the parts again that got no answer, then complete again.'

export const completeUpload: Described = {
  summary: 'Complete an upload',
  description:
    'Joins the parts and checks what the file is. Completing an upload again gets the same answer. A file that is refused is removed.',
  body: {
    schema: uploads.completeUpload,
    description: 'Nothing, or the ETag of every part.',
    optional: true,
    examples: { compared: ['With every ETag', completeUploadRequest] },
  },
  responses: {
    200: answer('One video can be made from it.', 'UploadCompleted', {
      ready: ['Ready', completed],
    }),
    400: invalid({ etag: wrong('parts[0].etag', 'Part 1 has the ETag "9f86d081884c7d65"') }),
    409: conflict(
      'Parts are missing or were sent again meanwhile, or a video uses the upload already.',
      {
        missing: fault('Conflict', notAllParts, {
          details: [2, 3].map((partNumber) => ({
            field: 'parts',
            message: `Part ${partNumber} has not been received`,
          })),
        }),
        again: fault('Conflict', partReplaced, { retryAfter: 1 }),
        used: fault('Conflict', 'The upload is the source of video v_3kTMd92L already.'),
      },
    ),
    422: failure('The file is none that can be used here.', {
      type: fault(
        'UnsupportedMediaType',
        `file: Its bytes are PDF, which is not supported. Supported are ${knownVideos}.`,
      ),
    }),
  },
}

export const deleteUpload: Described = {
  summary: 'Delete an upload',
  description: 'Deletes an upload that no video uses, with everything that was stored of it.',
  responses: {
    204: { description: 'It is gone.' },
    409: conflict('A video uses it.', {
      used: fault(
        'Conflict',
        'The upload is the source of video v_3kTMd92L; delete the video instead.',
      ),
    }),
  },
}

const partToken = linkPart(
  'token',
  'The permission in the address; it contains the upload, the part, and when it expires',
  `u_Zb4nR8xK2mQ7tW1c.1.1795342461.${'5d41402abc4b2a76'.repeat(4)}`,
)
const notOpen = 'The upload is complete (ready); its parts can no longer be changed.'
const wrongSize = 'Part 3 must have exactly 3222784 bytes; this has 5'

export const putPart: Described = {
  summary: 'Send a part',
  description:
    'Send each part to its address, in any order, several at once, and again as often as needed; the last one sent counts. Every part has exactly `partSize` bytes, except the last, which has the rest. These requests need no key and count against no rate limit.',
  parameters: [partToken],
  requestBody: {
    description: 'The bytes of this part.',
    required: true,
    content: { 'application/octet-stream': { schema: {} } },
  },
  responses: {
    200: answer('The part is stored.', 'ReceivedPart', { stored: ['Stored', receivedPart] }, [
      'ETag',
    ]),
    400: failure('The body does not have the size of this part, or has stopped arriving.', {
      size: wrong('Content-Length', wrongSize),
    }),
    403: failure('The address is not valid, or its upload has expired.', {
      forged: fault('Forbidden', 'This address is not valid. Read the upload for a fresh one.'),
      expired: fault('Forbidden', 'This upload has expired. Start a new one.'),
    }),
    404: failure('The upload was deleted.', { deleted: fault('NotFound', 'Upload not found.') }),
    409: failure('The upload is complete.', { complete: fault('Conflict', notOpen) }),
    411: failure('The request has no Content-Length.', {
      length: fault('LengthRequired', 'Send Content-Length: a part has a known size.'),
    }),
    500: sharedFailure('ServerError'),
    507: sharedFailure('InsufficientStorage'),
  },
}

export const preflightPart: Described = {
  summary: 'Ask whether a page may send parts',
  description:
    'Browsers send this by themselves (CORS). Pages of the origins in `UPLOAD_ORIGINS` may send parts.',
  parameters: [partToken],
  responses: {
    204: { description: 'The page may send them.', headers: ['Access-Control-Allow-Origin'] },
    403: failure('The page may not send them.', {
      origin: fault('Forbidden', 'Pages of this origin may not send parts; see UPLOAD_ORIGINS.'),
    }),
  },
}

import { answer, conflict, invalid, openAnswer } from '../answers.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import type { DescribedOperation } from '../openapi-types.ts'
import { partTokenParameter, uploadIdParameter } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'
import * as examples from '../examples/upload-examples.ts'

const ofOneUpload = { ...keyFailures, 404: sharedFailure('UploadNotFound') }

export const createUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Open an upload',
  description:
    'For files of any size, behind any proxy, from servers and browsers: send the file in parts, each to its own address, then complete the upload and create a video with its `uploadId`.',
  requestBody: bodyRef('CreateUpload'),
  responses: {
    201: answer({
      description: 'The upload is open for its parts.',
      schema: 'UploadOpened',
      examples: { opened: ['Three parts', examples.opened] },
      headers: ['Location'],
    }),
    400: invalid({
      size: fault('ValidationError', 'sizeInBytes: Must be at least 1 byte', {
        details: [{ field: 'sizeInBytes', message: 'Must be at least 1 byte' }],
      }),
    }),
    ...keyFailures,
    413: failure({
      description: 'The file or the JSON is larger than the service accepts.',
      headers: [...rateHeaderNames],
      examples: {
        file: fault('PayloadTooLarge', 'sizeInBytes: Must be at most 2147483648 bytes', {
          details: [{ field: 'sizeInBytes', message: 'Must be at most 2147483648 bytes' }],
        }),
      },
    }),
  },
}

export const readUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Read an upload',
  description:
    'The parts that have arrived, and addresses for those that have not: all that a client needs to continue after an interruption. Needs write access, because parts can be sent to these addresses.',
  parameters: [uploadIdParameter],
  responses: {
    200: answer({
      description: 'The upload.',
      schema: 'Upload',
      examples: {
        open: ['One of three parts has arrived', examples.interrupted],
        used: ['Used by a video', examples.used],
      },
    }),
    ...ofOneUpload,
  },
}

const notAllParts = 'Not all parts have been received; missing: 2, 3.'
const partReplaced =
  'A part was sent again meanwhile. Send the parts again that got no answer, then complete again.'

export const completeUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Complete an upload',
  description:
    'Joins the parts and checks what the file is. Completing an upload again gets the same answer. A file that is refused is removed.',
  parameters: [uploadIdParameter],
  requestBody: bodyRef('CompleteUpload'),
  responses: {
    200: answer({
      description: 'One video can be made from it.',
      schema: 'UploadCompleted',
      examples: { ready: ['Ready', examples.completed] },
    }),
    400: invalid({
      etag: fault('ValidationError', 'parts[0].etag: Part 1 has the ETag "9f86d081884c7d65"', {
        details: [{ field: 'parts[0].etag', message: 'Part 1 has the ETag "9f86d081884c7d65"' }],
      }),
    }),
    ...ofOneUpload,
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
    413: sharedFailure('PayloadTooLarge'),
    422: failure({
      description: 'The file is not MP4, MOV, AVI or WebM.',
      headers: [...rateHeaderNames],
      examples: {
        type: fault(
          'UnsupportedMediaType',
          'file: Its bytes are PDF, which is not supported. Supported are MP4, MOV, AVI, WebM.',
        ),
      },
    }),
  },
}

export const deleteUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Delete an upload',
  description: 'Deletes an upload that no video uses, with everything that was stored of it.',
  parameters: [uploadIdParameter],
  responses: {
    204: { description: 'It is gone.', headers: headerRefs(...rateHeaderNames) },
    ...ofOneUpload,
    409: conflict('A video uses it.', {
      used: fault(
        'Conflict',
        'The upload is the source of video v_3kTMd92L; delete the video instead.',
      ),
    }),
  },
}

const notOpen = 'The upload is complete (ready); its parts can no longer be changed.'
const wrongSize = 'Part 3 must have exactly 3222784 bytes; this has 5'

export const putPartOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Send a part',
  description:
    'Send each part to its address, in any order, several at once, and again as often as needed; the last one sent counts. Every part has exactly `partSize` bytes, except the last, which has the rest. These requests need no key and count against no rate limit.',
  parameters: [partTokenParameter],
  requestBody: {
    description: 'The bytes of this part.',
    required: true,
    content: { 'application/octet-stream': { schema: {} } },
  },
  responses: {
    200: openAnswer({
      description: 'The part is stored.',
      schema: 'ReceivedPart',
      examples: { stored: ['Stored', examples.receivedPart] },
      headers: ['ETag'],
    }),
    400: failure({
      description: 'The body does not have the size of this part, or has stopped arriving.',
      examples: {
        size: fault('ValidationError', `Content-Length: ${wrongSize}`, {
          details: [{ field: 'Content-Length', message: wrongSize }],
        }),
      },
    }),
    403: failure({
      description: 'The address is not valid, or its upload has expired.',
      examples: {
        forged: fault('Forbidden', 'This address is not valid. Read the upload for a fresh one.'),
        expired: fault(
          'Forbidden',
          'The upload that this address belongs to has expired. Open a new one.',
        ),
      },
    }),
    404: failure({
      description: 'The upload was deleted.',
      examples: { deleted: fault('NotFound', 'Upload not found.') },
    }),
    409: failure({
      description: 'The upload is complete.',
      examples: { complete: fault('Conflict', notOpen) },
    }),
    411: failure({
      description: 'The request has no Content-Length.',
      examples: {
        length: fault('LengthRequired', 'Send Content-Length: a part has a known size.'),
      },
    }),
    500: sharedFailure('ServerError'),
  },
}

export const preflightPartOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Ask whether a page may send parts',
  description:
    'Browsers send this by themselves (CORS). Pages of the origins in `UPLOAD_ORIGINS` may send parts.',
  parameters: [partTokenParameter],
  responses: {
    204: {
      description: 'The page may send them.',
      headers: headerRefs('Access-Control-Allow-Origin'),
    },
    403: failure({
      description: 'The page may not send them.',
      examples: {
        origin: fault('Forbidden', 'Pages of this origin may not send parts; see UPLOAD_ORIGINS.'),
      },
    }),
  },
}

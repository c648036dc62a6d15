import { answer, conflict, invalid, openAnswer } from './answers.ts'
import { failure, fault, keyFailures, sharedFailure } from './failures.ts'
import { headerRefs, rateHeaderNames } from './headers.ts'
import type { JsonSchema, DescribedOperation, RequestBody } from './openapi-types.ts'
import { partTokenParameter, uploadIdParameter } from './parameters.ts'
import * as examples from './upload-examples.ts'

const ofOneUpload = { ...keyFailures, 404: sharedFailure('UploadNotFound') }

export function createUploadBody(schema: JsonSchema): RequestBody {
  return {
    description: 'What will be sent.',
    required: true,
    content: {
      'application/json': {
        schema: { title: 'CreateUpload', ...schema },
        examples: { upload: { summary: 'A file of 20 MB', value: examples.createUpload } },
      },
    },
  }
}

export function completeUploadBody(schema: JsonSchema): RequestBody {
  return {
    description: 'Nothing, or what each part was answered.',
    required: false,
    content: {
      'application/json': {
        schema: { title: 'CompleteUpload', ...schema },
        examples: { compared: { summary: 'With every ETag', value: examples.completeUpload } },
      },
    },
  }
}

export const createUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Open an upload',
  description:
    'For files of any size, behind any proxy, from servers and browsers: send the file in parts, each to an address of its own, then complete the upload and create a video with its `uploadId`.',
  requestBody: { $ref: '#/components/requestBodies/CreateUpload' },
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
      description: 'The file is larger than the service takes, or the JSON is.',
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
    'What has arrived, and addresses for what has not: all that is needed to go on after an interruption. These addresses can be written to, so a key that may only read gets none.',
  parameters: [uploadIdParameter],
  responses: {
    200: answer({
      description: 'The upload.',
      schema: 'Upload',
      examples: {
        open: ['One of three parts has arrived', examples.interrupted],
        used: ['A video has it', examples.used],
      },
    }),
    ...ofOneUpload,
  },
}

const notAllParts = 'Not all parts have been received; missing: 2, 3.'
const partReplaced =
  'A part was sent again meanwhile. Send once more what was not answered, then complete again.'

export const completeUploadOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Complete an upload',
  description:
    'Joins the parts and looks at what the file is. Asking again gets the same answer. A file that is refused is removed.',
  parameters: [uploadIdParameter],
  requestBody: { $ref: '#/components/requestBodies/CompleteUpload' },
  responses: {
    200: answer({
      description: 'A video can be made of it, once.',
      schema: 'UploadCompleted',
      examples: { ready: ['Ready', examples.completed] },
    }),
    400: invalid({
      etag: fault('ValidationError', 'parts[0].etag: Part 1 has the ETag "9f86d081884c7d65"', {
        details: [{ field: 'parts[0].etag', message: 'Part 1 has the ETag "9f86d081884c7d65"' }],
      }),
    }),
    ...ofOneUpload,
    409: conflict('Parts are missing or were sent again meanwhile, or a video has it already.', {
      missing: fault('Conflict', notAllParts, {
        details: [2, 3].map((partNumber) => ({
          field: 'parts',
          message: `Part ${partNumber} has not been received`,
        })),
      }),
      again: fault('Conflict', partReplaced, { retryAfter: 1 }),
      used: fault('Conflict', 'The upload is the source of video v_3kTMd92L already.'),
    }),
    413: sharedFailure('PayloadTooLarge'),
    422: failure({
      description: 'The file is none of MP4, MOV, AVI, WebM.',
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
  description: 'Forgets an upload that no video has, with what was stored of it.',
  parameters: [uploadIdParameter],
  responses: {
    204: { description: 'It is gone.', headers: headerRefs(...rateHeaderNames) },
    ...ofOneUpload,
    409: conflict('A video has it.', {
      used: fault('Conflict', 'The upload is the source of video v_3kTMd92L; delete that.'),
    }),
  },
}

const notOpen = 'The upload is complete (ready); its parts cannot be changed any more.'
const wrongSize = 'Part 3 must have exactly 3222784 bytes; this has 5'

export const putPartOperation: DescribedOperation = {
  tags: ['Uploads'],
  summary: 'Send a part',
  description:
    'To an address that the upload has given: in any order, several at once, and again as often as needed; what comes last counts. Every part has exactly `partSize` bytes but the last, which has the rest. The address needs no key and counts against no rate limit.',
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
      description: 'The body has another size than this part, or has stopped arriving.',
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
        expired: fault('Forbidden', 'The upload of this address has expired. Begin a new one.'),
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
      description: 'The request does not say how long its body is.',
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
    'Browsers ask this by themselves (CORS). Pages of the origins in `UPLOAD_ORIGINS` may.',
  parameters: [partTokenParameter],
  responses: {
    204: { description: 'It may.', headers: headerRefs('Access-Control-Allow-Origin') },
    403: failure({
      description: 'It may not.',
      examples: {
        origin: fault('Forbidden', 'Pages of this origin may not send parts; see UPLOAD_ORIGINS.'),
      },
    }),
  },
}

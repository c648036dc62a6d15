import { limits } from '../../../contract/limits.ts'
import { answer, conflict, invalid } from '../answers.ts'
import * as examples from '../examples/examples.ts'
import { failure, fault, keyFailures } from '../failures.ts'
import { rateHeaderNames } from '../headers.ts'
import type { DescribedOperation } from '../openapi-types.ts'
import { idempotencyKeyParameter } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

const required = 'Required: the video as a file'
const cutOff = 'Must end with its closing boundary, but was cut off before it'
const unknown = 'Its bytes are not a video that is known here. Supported are MP4, MOV, AVI, WebM'
const other = 'Its bytes are MKV, which is not supported. Supported are MP4, MOV, AVI, WebM'
const tooLarge = 'Must have at most 2147483648 bytes'

function faultOf(field: string, message: string) {
  return fault('ValidationError', `${field}: ${message}`, { details: [{ field, message }] })
}

export const uploadVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Upload a video',
  description: `Takes the source as a file in a form, and the options of a create as its other fields. The file is stored while it arrives; the answer is that of a create.\n\nThe first fault ends the upload: fields that come before the file are checked before the file is read, and the leading bytes of the file before it is stored. The form may have ${limits.formParts} parts, ${limits.formTextBytes} bytes of text in its fields, and ${limits.partHeaderBytes} bytes of headers in a part.`,
  parameters: [idempotencyKeyParameter],
  requestBody: bodyRef('UploadVideo'),
  responses: {
    202: answer({
      description: 'The file is stored and the video queued.',
      schema: 'VideoAccepted',
      examples: { queued: ['Queued', examples.accepted] },
      headers: ['Location', 'Idempotent-Replayed'],
    }),
    400: invalid({
      noFile: faultOf('file', required),
      notVideo: faultOf('file', unknown),
      slow: faultOf('body', 'Must keep arriving, every 262144 bytes of it within 60 seconds'),
      cutOff: faultOf('body', cutOff),
    }),
    ...keyFailures,
    409: conflict(
      'The Idempotency-Key belongs to another request, or its upload is still arriving.',
      {
        reused: fault('Conflict', 'This Idempotency-Key was used with another request.'),
        inFlight: fault(
          'Conflict',
          'A request with this Idempotency-Key is still being processed.',
          {
            retryAfter: 120,
          },
        ),
      },
    ),
    413: failure({
      description: 'The file is larger than the service accepts.',
      headers: [...rateHeaderNames],
      examples: {
        file: fault('PayloadTooLarge', `file: ${tooLarge}.`, {
          details: [{ field: 'file', message: tooLarge }],
        }),
      },
    }),
    422: failure({
      description: 'The file is of a known type that is not supported.',
      headers: [...rateHeaderNames],
      examples: {
        mkv: fault('UnsupportedMediaType', `file: ${other}.`, {
          details: [{ field: 'file', message: other }],
        }),
      },
    }),
  },
}

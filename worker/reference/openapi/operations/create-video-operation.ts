import { answer, conflict, invalid } from '../answers.ts'
import * as examples from '../examples/examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { rateHeaderNames } from '../headers.ts'
import type { DescribedOperation } from '../openapi-types.ts'
import { idempotencyKeyParameter } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

const twoSources = 'Give exactly one of fileUrl, files and uploadId, not fileUrl and files'

const faults = invalid({
  oneFault: fault('ValidationError', 'compressionQuality: Must be from 1 to 100', {
    details: [{ field: 'compressionQuality', message: 'Must be from 1 to 100' }],
  }),
  unknownField: fault(
    'ValidationError',
    'removeSilense: Unknown field; did you mean removeSilence?',
    {
      details: [{ field: 'removeSilense', message: 'Unknown field; did you mean removeSilence?' }],
    },
  ),
  preset: fault(
    'ValidationError',
    'preset: There is no preset clean-tlak; did you mean clean-talk?',
    {
      details: [
        { field: 'preset', message: 'There is no preset clean-tlak; did you mean clean-talk?' },
      ],
    },
  ),
  twoSources: fault('ValidationError', `fileUrl: ${twoSources} (and 1 more fault; see details)`, {
    details: [
      { field: 'fileUrl', message: twoSources },
      { field: 'files', message: twoSources },
    ],
  }),
})

export const createVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Create a video',
  description:
    'Takes one source (`fileUrl`, or the `uploadId` of a completed upload), or several to combine (`files` with `combine: true`), and what to do with it. A `preset` fills in what the request leaves out. The answer comes at once; the work follows. Every video that was answered with a 202 ends as `succeeded`, `failed` or `canceled`.',
  parameters: [idempotencyKeyParameter],
  requestBody: bodyRef('CreateVideo'),
  responses: {
    202: answer({
      description: 'The video is queued.',
      schema: 'VideoAccepted',
      examples: { queued: ['Queued', examples.accepted] },
      headers: ['Location', 'Idempotent-Replayed'],
    }),
    400: faults,
    ...keyFailures,
    404: failure({
      description: 'There is no such upload, or it is not yours.',
      headers: [...rateHeaderNames],
      examples: { upload: fault('NotFound', 'Upload not found.') },
    }),
    409: conflict(
      'The Idempotency-Key belongs to another request, or the upload is not ready or was already used.',
      {
        used: fault('Conflict', 'The upload was already used by video v_3kTMd92L.'),
        reused: fault('Conflict', 'This Idempotency-Key was used with another request.'),
        inFlight: fault(
          'Conflict',
          'A request with this Idempotency-Key is still being processed.',
          {
            retryAfter: 5,
          },
        ),
      },
    ),
    413: sharedFailure('PayloadTooLarge'),
  },
}

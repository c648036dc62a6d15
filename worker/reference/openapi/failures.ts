import type { ErrorBody } from '../../contract/answers/error-body.ts'
import { errorTable, type ErrorCode } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import { headerRefs, rateHeaderNames, type HeaderName } from './headers.ts'
import type { Example, Media, Reference, Response } from './openapi-types.ts'
import { schemaRef } from './schemas.ts'

type Failure = { description: string; headers?: HeaderName[]; examples: Record<string, ErrorBody> }

/** An error answer. All errors have one schema; each way to get this one has an example. */
export function failure({ description, headers = [], examples }: Failure): Response {
  const named = Object.entries(examples).map(([name, value]): [string, Example] => [
    name,
    { summary: value.message, value },
  ])
  const media: Media = { schema: schemaRef('Error'), examples: Object.fromEntries(named) }
  return {
    description,
    headers: headerRefs(...headers),
    content: { 'application/json': media },
  }
}

/** An example of this error; without a message it has the default text of the error. */
export function fault(
  error: ErrorCode,
  message: string = errorTable[error].text,
  more: Omit<ErrorBody, 'error' | 'message'> = {},
): ErrorBody {
  return { error, message, ...more }
}

const requestId = 'req_0IGTCWZ4gN2bQXxV'

/** components.responses: the errors that mean the same for every operation. */
export const sharedFailures = {
  Unauthorized: failure({
    description: 'There is no API key, or it is not valid, revoked or expired.',
    headers: ['WWW-Authenticate'],
    examples: {
      missing: fault(
        'Unauthorized',
        'Send your API key: Authorization: Bearer <API_KEY>. The dashboard makes one: https://video.example.com/app/keys',
      ),
      invalid: fault('Unauthorized', 'The API key is not valid.'),
      revoked: fault('Unauthorized', 'The API key has been revoked.'),
    },
  }),
  Forbidden: failure({
    description:
      'The API key lacks the scope this needs, or the account keeps as much as it may: what would add to it is refused.',
    headers: [...rateHeaderNames, 'WWW-Authenticate'],
    examples: {
      scope: fault('Forbidden', 'This API key lacks the scope videos:write.'),
      quota: fault(
        'QuotaExceeded',
        'This account keeps 98304.0 MB of the 100000.0 MB that it may keep, and this does not fit. Delete videos or uploads that are no longer needed, or ask the operator of this service for more.',
      ),
    },
  }),
  VideoNotFound: failure({
    description: 'There is no such video, or it is not yours.',
    headers: [...rateHeaderNames],
    examples: { missing: fault('NotFound', 'Video not found.') },
  }),
  UploadNotFound: failure({
    description: 'There is no such upload, it is not yours, or it has expired.',
    headers: [...rateHeaderNames],
    examples: { missing: fault('NotFound', 'Upload not found.') },
  }),
  MethodNotAllowed: failure({
    description:
      'The address exists but does not answer this method. Allow lists the methods it answers.',
    headers: [...rateHeaderNames, 'Allow'],
    examples: {
      method: fault('MethodNotAllowed', 'This address answers GET, POST, HEAD, not PUT.'),
    },
  }),
  PayloadTooLarge: failure({
    description: 'The body is larger than the limit.',
    headers: [...rateHeaderNames],
    examples: {
      body: fault('PayloadTooLarge', `The body may have at most ${limits.jsonBodyBytes} bytes.`),
    },
  }),
  RateLimitExceeded: failure({
    description: 'The key has used up one of its windows. Wait as long as Retry-After says.',
    headers: [...rateHeaderNames, 'Retry-After'],
    examples: {
      window: fault('RateLimitExceeded', 'Too many requests; try again in 12 s.', {
        retryAfter: 12,
      }),
    },
  }),
  ServerError: failure({
    description:
      'A fault of the service. Try again; repeat a create with the same Idempotency-Key, so that it creates one video only.',
    headers: [...rateHeaderNames],
    examples: {
      storage: fault('StorageError', undefined, { requestId }),
      internal: fault('InternalError', undefined, { requestId }),
    },
  }),
  ServiceUnavailable: failure({
    description: 'The service cannot take requests right now. Try again after Retry-After.',
    headers: ['Retry-After'],
    examples: { busy: fault('ServiceUnavailable', undefined, { retryAfter: 1, requestId }) },
  }),
  InsufficientStorage: failure({
    description:
      'The service has no room: it takes no new videos and uploads until its operator has made some. Try again after Retry-After.',
    headers: ['Retry-After'],
    examples: {
      disk: fault(
        'InsufficientStorage',
        'The disk of this service is almost full, so it accepts no new videos or uploads. What it has accepted goes on. Its operator has to make room.',
        { retryAfter: 60, requestId },
      ),
    },
  }),
} satisfies Record<string, Response>

export function sharedFailure(name: keyof typeof sharedFailures): Reference {
  return { $ref: `#/components/responses/${name}` }
}

/** The errors that any request with a key may be answered with. */
export const keyFailures = {
  401: sharedFailure('Unauthorized'),
  403: sharedFailure('Forbidden'),
  429: sharedFailure('RateLimitExceeded'),
  500: sharedFailure('ServerError'),
  503: sharedFailure('ServiceUnavailable'),
  507: sharedFailure('InsufficientStorage'),
}

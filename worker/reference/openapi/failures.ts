import type { ErrorBody } from '../../contract/answers/error-body.ts'
import { errorTable, type ErrorCode } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import { describeAnswer, type AnswerDescription } from './bodies.ts'
import type { Reference, Response } from './json-schemas.ts'

/** An example of this error; without a message it has the default text of the error. */
export function fault(
  error: ErrorCode,
  message: string = errorTable[error].text,
  more: Omit<ErrorBody, 'error' | 'message'> = {},
): ErrorBody {
  return { error, message, ...more }
}

/** A field of a request that is not valid. */
export function wrong(field: string, message: string): ErrorBody {
  return fault('ValidationError', `${field}: ${message}`, { details: [{ field, message }] })
}

export function failure(description: string, faults: Record<string, ErrorBody>): AnswerDescription {
  return { description, faults }
}

export function invalid(faults: Record<string, ErrorBody>): AnswerDescription {
  return failure('The request is not valid; details names every fault at once.', faults)
}

export function conflict(
  description: string,
  faults: Record<string, ErrorBody>,
): AnswerDescription {
  return { description, headers: ['Retry-After'], faults }
}

export function missing(description: string, message: string): AnswerDescription {
  return { description, faults: { missing: fault('NotFound', message) } }
}

const requestId = 'req_0IGTCWZ4gN2bQXxV'

/** The errors that mean the same for every operation. */
const shared = {
  Unauthorized: {
    description: 'There is no API key, or it is not valid, revoked or expired.',
    headers: ['WWW-Authenticate'],
    faults: {
      missing: fault(
        'Unauthorized',
        'Send your API key: Authorization: Bearer <API_KEY>. The dashboard makes one: https://video.example.com/app/keys',
      ),
      invalid: fault('Unauthorized', 'The API key is not valid.'),
      revoked: fault('Unauthorized', 'The API key has been revoked.'),
    },
  },
  BudgetExceeded: {
    description:
      'The account has used up what its work of this month may cost. Retry-After says when the next month begins.',
    headers: ['Retry-After'],
    faults: {
      budget: fault(
        'BudgetExceeded',
        'This account has used up its budget of 25.00 for this month. New videos are accepted again from 2026-12-01 (UTC), or when the operator of this service raises the budget.',
        { retryAfter: 864_000 },
      ),
    },
  },
  Forbidden: {
    description:
      'The API key lacks the scope this needs, or the account has used all of its storage: what would add to it is refused.',
    headers: ['WWW-Authenticate'],
    faults: {
      scope: fault('Forbidden', 'This API key lacks the scope videos:write.'),
      quota: fault(
        'QuotaExceeded',
        'This account keeps 98304.0 MB of the 100000.0 MB that it may keep, and this does not fit. Delete videos or uploads that are no longer needed, or ask the operator of this service for more.',
      ),
    },
  },
  VideoNotFound: {
    description: 'There is no such video, or it is not yours.',
    faults: { missing: fault('NotFound', 'Video not found.') },
  },
  UploadNotFound: {
    description: 'There is no such upload, it is not yours, or it has expired.',
    faults: { missing: fault('NotFound', 'Upload not found.') },
  },
  MethodNotAllowed: {
    description:
      'The address exists but does not answer this method. Allow lists the methods it answers.',
    headers: ['Allow'],
    faults: {
      method: fault('MethodNotAllowed', 'This address answers GET, POST, HEAD, not PUT.'),
    },
  },
  PayloadTooLarge: {
    description: 'The body is larger than the limit.',
    faults: {
      body: fault('PayloadTooLarge', `The body may have at most ${limits.jsonBodyBytes} bytes.`),
    },
  },
  RateLimitExceeded: {
    description: 'The key has used up one of its windows. Wait as long as Retry-After says.',
    headers: ['Retry-After'],
    faults: {
      window: fault('RateLimitExceeded', 'Too many requests; try again in 12 s.', {
        retryAfter: 12,
      }),
    },
  },
  ServerError: {
    description:
      'A fault of the service. Try again; repeat a create with the same Idempotency-Key, so that it creates one video only.',
    faults: {
      storage: fault('StorageError', undefined, { requestId }),
      internal: fault('InternalError', undefined, { requestId }),
    },
  },
  ServiceUnavailable: {
    description: 'The service cannot take requests right now. Try again after Retry-After.',
    headers: ['Retry-After'],
    faults: { busy: fault('ServiceUnavailable', undefined, { retryAfter: 1, requestId }) },
  },
  InsufficientStorage: {
    description:
      'The service has no room: it takes no new videos and uploads until its operator has made some. Try again after Retry-After.',
    headers: ['Retry-After'],
    faults: {
      disk: fault(
        'InsufficientStorage',
        'The disk of this service is almost full, so it cannot accept new videos or uploads. Videos it has accepted carry on. Its operator has to make room.',
        { retryAfter: 60, requestId },
      ),
    },
  },
} satisfies Record<string, AnswerDescription>

/** Answers that are given before the key of a request is known, so that no window is counted. */
const withoutWindows: readonly string[] = [
  'Unauthorized',
  'ServiceUnavailable',
  'InsufficientStorage',
]

/** components.responses */
export function describeFailures(): Record<string, Response> {
  return Object.fromEntries(
    Object.entries<AnswerDescription>(shared).map(([name, said]) => [
      name,
      describeAnswer(said, !withoutWindows.includes(name)),
    ]),
  )
}

export function sharedFailure(name: keyof typeof shared): Reference {
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

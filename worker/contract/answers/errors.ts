import { limits } from '../limits.ts'

/** One line per error type: its HTTP status, and the message for the cases that have no more specific one. */
export const errorTable = {
  ValidationError: { status: 400, text: 'The request is not valid.' },
  Unauthorized: { status: 401, text: 'A valid API key is required.' },
  BudgetExceeded: { status: 402, text: 'This account has used up its budget of this month.' },
  Forbidden: { status: 403, text: 'This API key may not do that.' },
  QuotaExceeded: { status: 403, text: 'This account has used all of its storage.' },
  NotFound: { status: 404, text: 'There is nothing at this address.' },
  MethodNotAllowed: { status: 405, text: 'This address does not answer that method.' },
  Conflict: { status: 409, text: 'The request conflicts with the current state.' },
  LengthRequired: { status: 411, text: 'The request must say how long its body is.' },
  PayloadTooLarge: { status: 413, text: 'The request body is too large.' },
  UnsupportedMediaType: { status: 422, text: 'The file type is not supported.' },
  RateLimitExceeded: { status: 429, text: 'Too many requests.' },
  ProcessingError: { status: 500, text: 'The video could not be processed.' },
  StorageError: { status: 500, text: 'Storage did not answer as it should. Try again.' },
  InternalError: { status: 500, text: 'Something went wrong on our side. Try again.' },
  ServiceUnavailable: { status: 503, text: 'The service cannot take this request right now.' },
  InsufficientStorage: { status: 507, text: 'The service has no room for this right now.' },
} as const

export type ErrorCode = keyof typeof errorTable

/** One fault of a request. `field` is a path such as `elements[2].position.anchor`. */
export type FieldFault = { field: string; message: string }

type AppErrorOptions = {
  details?: FieldFault[]
  retryAfterSeconds?: number
  headers?: Record<string, string>
  cause?: unknown
}

/** The only error whose message reaches a client. `cause` is for the log. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: FieldFault[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message?: string, options: AppErrorOptions = {}) {
    super(message ?? errorTable[code].text, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers ?? {}
  }

  get status(): (typeof errorTable)[ErrorCode]['status'] {
    return errorTable[this.code].status
  }
}

/** A ValidationError that reports every fault at once. */
export function invalidRequest(details: FieldFault[]): AppError {
  const [first, ...more] = details
  const said = first ? `${first.field}: ${first.message}` : errorTable.ValidationError.text
  const rest = more.length === 1 ? '1 more fault' : `${more.length} more faults`
  const message = more.length === 0 ? said : `${said} (and ${rest}; see details)`
  return new AppError('ValidationError', message, { details: withinReason(details) })
}

/** Field names come from the client, so the list is cut off: a huge request must not produce a huge answer. */
function withinReason(details: readonly FieldFault[]): FieldFault[] {
  const shown: FieldFault[] = []
  let chars = 0
  for (const fault of details.slice(0, limits.reportedFaults)) {
    chars += fault.field.length + fault.message.length
    if (shown.length > 0 && chars > limits.reportedFaultChars) break
    shown.push(fault)
  }
  return shown
}

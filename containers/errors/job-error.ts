import type { FailureReason } from '../../worker/contract/report.ts'

type JobErrorOptions = { retryable?: boolean; cause?: unknown }

/** A failure the customer is told about: `message` is public text without paths, addresses or stack. */
export class JobError extends Error {
  override name = 'JobError'
  readonly reason: FailureReason
  /** True when another attempt may end better. */
  readonly retryable: boolean

  constructor(reason: FailureReason, message: string, options: JobErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.retryable = options.retryable ?? false
  }
}

/** Why a run ends before its result; `stopped` is the Worker's answer that this attempt is no longer wanted. */
export type StopReason = 'canceled' | 'shutdown' | 'stopped'

/** The reason given to `AbortController.abort`. The first one stands: a second abort changes nothing. */
export class JobStop extends Error {
  override name = 'JobStop'
  readonly stopReason: StopReason

  constructor(reason: StopReason) {
    super(`The job was ended: ${reason}`)
    this.stopReason = reason
  }
}

/** Whatever was thrown, as a failure that may be shown; unexpected faults keep their text in `cause`. */
export function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return new JobError('out_of_resources', 'The media worker ran out of disk space.', {
      retryable: true,
      cause: error,
    })
  }
  return new JobError('internal', 'Something went wrong while the video was processed.', {
    retryable: true,
    cause: error,
  })
}

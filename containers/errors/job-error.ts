import type { FailureReason, Report } from '../../worker/contract/job/report.ts'
import { codeOf } from './code-of.ts'

/** The faults found in a result that is not kept, and the uploaded pictures that show them. */
export type FailedProof = Pick<Extract<Report, { type: 'failed' }>, 'checks' | 'outputs'>

type JobErrorOptions = { retryable?: boolean; cause?: unknown; proof?: FailedProof | undefined }

/** A failure that is shown to the customer: `message` is public, without paths, addresses or stack traces. */
export class JobError extends Error {
  override name = 'JobError'
  readonly reason: FailureReason
  /** True if another attempt may succeed. */
  readonly retryable: boolean
  readonly proof: FailedProof | undefined

  constructor(reason: FailureReason, message: string, options: JobErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.retryable = options.retryable ?? false
    this.proof = options.proof
  }
}

/** Whether a decoder or an encoder refused; a job that was stopped has another error. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof JobError && error.reason === 'source_undecodable'
}

/** Retryable: this disk later, or that of another media worker, may have more space. */
export class DiskError extends JobError {
  constructor(message: string, cause?: unknown) {
    super('out_of_resources', message, { retryable: true, cause })
  }
}

/** The disk has become full while the job was at work. */
export function ranOutOfDisk(cause?: unknown): DiskError {
  return new DiskError('The media worker ran out of disk space.', cause)
}

/** Why a run ends before it has a result; `stopped` means that the Worker's answer no longer wants this attempt. */
export type StopReason = 'canceled' | 'shutdown' | 'stopped'

/** The reason given to `AbortController.abort`. The first abort counts; a second one changes nothing. */
export class JobStop extends Error {
  override name = 'JobStop'
  readonly stopReason: StopReason

  constructor(reason: StopReason) {
    super(`The job was ended: ${reason}`)
    this.stopReason = reason
  }
}

/** A process that is told to stop has only seconds left for its last report. */
export const releasePatienceMs = 2_000

/**
 * What ended a run: its failure, or `released` if this process is shutting down. Undefined if it was canceled or replaced: the
 * Worker knows that already, or does not want a report.
 */
export function endOf(error: unknown, signal: AbortSignal): JobError | 'released' | undefined {
  const stop: unknown = signal.aborted ? signal.reason : error
  if (!(stop instanceof JobStop)) return toJobError(stop)
  return stop.stopReason === 'shutdown' ? 'released' : undefined
}

/** Whether the system refused to write because the disk is full, or the user has a quota. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' || isDiskFull(error.cause)
}

/**
 * Turns anything that was thrown into a failure that may be shown; the text of unexpected errors goes into `cause`
 * only.
 */
export function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error
  if (isDiskFull(error)) return ranOutOfDisk(error)
  return new JobError('internal', 'Something went wrong while the video was processed.', {
    retryable: true,
    cause: error,
  })
}

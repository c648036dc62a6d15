import type { FailureReason } from '../contract/report.ts'
import type { JobError } from '../store/tables.ts'

export type AttemptFailure = { reason: FailureReason; message: string; retryable: boolean }
export type AttemptDecision = { outcome: 'retry' } | { outcome: 'fail'; error: JobError }

/** What a failed attempt means for the job: another one, or the end. */
export function decideAttempt(
  failure: AttemptFailure,
  job: { attempts: number; startedAt: number },
  bounds: { maxAttempts: number; maxJobMs: number; now: number },
): AttemptDecision {
  if (!failure.retryable) return { outcome: 'fail', error: jobError(failure) }
  if (bounds.now - job.startedAt > bounds.maxJobMs) {
    return { outcome: 'fail', error: workedTooLong(bounds.maxJobMs) }
  }
  if (job.attempts < bounds.maxAttempts) return { outcome: 'retry' }
  const message = `Gave up after ${job.attempts} attempts. The last one: ${failure.message}`
  return { outcome: 'fail', error: jobError({ ...failure, message }) }
}

export function workerLost(phase: string): AttemptFailure {
  return {
    reason: 'worker_lost',
    message: `The media worker stopped answering while ${phase}.`,
    retryable: true,
  }
}

/** All attempts of a job together have a limit, so that none goes round for ever. */
export function workedTooLong(maxJobMs: number): JobError {
  return {
    error: 'ProcessingError',
    reason: 'out_of_time',
    message: `The video was not finished within ${Math.round(maxJobMs / 1000)} seconds of work.`,
  }
}

/** Why a job that is not held must not be offered any more; undefined when it may. */
export function overdue(
  job: { createdAt: number; startedAt: number | null },
  bounds: { maxQueueMs: number; maxJobMs: number; now: number },
): JobError | undefined {
  if (job.startedAt === null) {
    return bounds.now - job.createdAt > bounds.maxQueueMs
      ? waitedTooLong(bounds.maxQueueMs)
      : undefined
  }
  return bounds.now - job.startedAt > bounds.maxJobMs ? workedTooLong(bounds.maxJobMs) : undefined
}

function waitedTooLong(maxQueueMs: number): JobError {
  return {
    error: 'ProcessingError',
    reason: 'out_of_time',
    message: `No media worker was free within ${Math.round(maxQueueMs / 1000)} seconds.`,
  }
}

function jobError({ reason, message }: AttemptFailure): JobError {
  return {
    error: reason === 'storage_failed' ? 'StorageError' : 'ProcessingError',
    reason,
    message: message.slice(0, 500),
  }
}

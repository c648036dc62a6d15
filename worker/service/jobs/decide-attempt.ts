import { createVideo } from '../../contract/options/create-video.ts'
import type { FailureReason } from '../../contract/job/report.ts'
import type { StoredJobError } from '../../store/tables/tables.ts'

export type AttemptFailure = { reason: FailureReason; message: string; retryable: boolean }
/** `inVain`: how many attempts have ended since one last got further. */
type TriedJob = { attempts: number; inVain: number }
type Aged = { createdAt: number; startedAt: number | null }
/** How long a job may wait, and how long all its attempts may take together. */
type JobTimes = { maxQueueMs: number; maxJobMs: number }
type AttemptDecision = { outcome: 'retry' } | { outcome: 'fail'; error: StoredJobError }

/** What follows a failed attempt: another one, or the end of the job. */
export function decideAttempt(
  failure: AttemptFailure,
  job: TriedJob & { startedAt: number },
  bounds: { maxAttempts: number; maxJobMs: number; now: number },
): AttemptDecision {
  if (!failure.retryable) return { outcome: 'fail', error: jobError(failure) }
  if (bounds.now - job.startedAt > bounds.maxJobMs) {
    return { outcome: 'fail', error: workedTooLong(bounds.maxJobMs) }
  }
  if (job.inVain < bounds.maxAttempts) return { outcome: 'retry' }
  return { outcome: 'fail', error: attemptsSpent(job.attempts, failure) }
}

function attemptsSpent(attempts: number, last: AttemptFailure): StoredJobError {
  const message = `Gave up after ${attempts} attempts. The last one: ${last.message}`
  return jobError({ ...last, message })
}

/** `said`: what is known of its end beyond its silence. */
export function workerLost(phase: string, said?: string): AttemptFailure {
  const silence = `The media worker stopped answering while ${phase}.`
  return {
    reason: 'worker_lost',
    message: said === undefined ? silence : `${silence} ${said}`,
    retryable: true,
  }
}

/** All attempts of a job together have a time limit, so that no job is retried for ever. */
export function workedTooLong(maxJobMs: number): StoredJobError {
  return {
    error: 'ProcessingError',
    reason: 'out_of_time',
    message: `The video was not finished within ${Math.round(maxJobMs / 1000)} seconds of work.`,
  }
}

/** Why a job that nobody holds must not be offered any more; undefined if it may be. */
export function overdue(
  job: TriedJob & Aged,
  bounds: JobTimes & { maxAttempts: number; now: number },
): StoredJobError | undefined {
  // Attempts whose end was never reported count as well.
  if (job.inVain >= bounds.maxAttempts) {
    return attemptsSpent(job.attempts, workerLost('working'))
  }
  return outOfTime(job, bounds)
}

/** When a waiting job becomes overdue, as far as that is a matter of time. */
export function lateAt({ createdAt, startedAt }: Aged, { maxQueueMs, maxJobMs }: JobTimes): number {
  return startedAt === null ? createdAt + maxQueueMs : startedAt + maxJobMs
}

/** A job's object that still works ends it long before this. */
const graceMs = 900_000

/** Why a job must be ended although its own object has not ended it; undefined while it may continue. */
export function pastDeadline(
  job: Aged,
  bounds: JobTimes & { now: number },
): StoredJobError | undefined {
  return outOfTime(job, bounds, graceMs)
}

function outOfTime(
  job: Aged,
  bounds: JobTimes & { now: number },
  moreMs = 0,
): StoredJobError | undefined {
  if (bounds.now <= lateAt(job, bounds) + moreMs) return undefined
  return job.startedAt === null ? waitedTooLong(bounds.maxQueueMs) : workedTooLong(bounds.maxJobMs)
}

/**
 * Longer than a rollout of media workers takes. They are rolled out before the service, but an operator may do it the
 * other way round.
 */
const refusalPatienceMs = 1_800_000

export type Refuser = 'media-workers' | 'service'

const refusals: Record<Refuser, string> = {
  'media-workers':
    'Every media worker refused this job for 30 minutes; they may be of another version than the service.',
  service:
    'The stored job could not be understood for 30 minutes; another version of the service may have written it.',
}

/** Why a job that no version understands must not be offered any more; undefined while a rollout may still help. */
export function refusedTooLong(
  by: Refuser,
  refusedSince: number,
  now: number,
): StoredJobError | undefined {
  if (now - refusedSince <= refusalPatienceMs) return undefined
  return { error: 'ProcessingError', reason: 'internal', message: refusals[by] }
}

/** False for a row with an option that only another version knows, and for one that cannot be read. */
export function isUnderstood(request: unknown): boolean {
  return createVideo.safeParse(request).success
}

function waitedTooLong(maxQueueMs: number): StoredJobError {
  return {
    error: 'ProcessingError',
    reason: 'out_of_time',
    message: `No media worker was free within ${Math.round(maxQueueMs / 1000)} seconds.`,
  }
}

function jobError({ reason, message }: AttemptFailure): StoredJobError {
  return {
    error: reason === 'storage_failed' ? 'StorageError' : 'ProcessingError',
    reason,
    message: message.slice(0, 500),
  }
}

import type { FailureReason } from '../../worker/contract/job/report.ts'
import { JobError, JobStop, type FailedProof, type StopReason } from '../errors/job-error.ts'
import { stackOf } from '../errors/log.ts'
import { ThreadDied, type Answered, type Numbered } from '../models/model-thread.ts'

/** What a process is working on, so that its end can be explained. */
export type WorkStep = {
  /** The field of the request that is to blame, if any. */
  readonly field?: string | undefined
  /** Such as `setting this text`. */
  readonly doing: string
  /** The longest time for it; unlimited if absent, as long as the process shows that it is alive. */
  readonly mostMs?: number | undefined
}

/** An error on its way from one process to the other. */
type WorkFailure =
  | { type: 'stop'; reason: StopReason }
  | ({ type: 'job'; reason: FailureReason; retryable: boolean } & JobFailure)
  | { type: 'thread-died'; stack: string }
  | { type: 'fault'; stack: string }

type JobFailure = {
  readonly message: string
  readonly stack: string
  readonly proof?: FailedProof | undefined
}

export type ToProcess<Setup, Task> =
  | { type: 'set-up'; setup: Setup }
  | { type: 'work'; task: Task; folder: string }
  | { type: 'stop'; reason: StopReason }
  | { type: 'model-answer'; thread: string; id: number; answer: Answered | WorkFailure }
  | { type: 'model-share'; thread: string; id: number; share: number }

export type FromProcess<Told, Result> =
  | { type: 'alive' }
  | { type: 'told'; told: Told }
  | { type: 'step'; id: number; step: WorkStep | 'over' }
  | { type: 'done'; result: Result }
  | { type: 'failed'; failure: WorkFailure }
  | { type: 'model-ask'; thread: string; question: Numbered; withdrawal: Numbered | undefined }
  | { type: 'model-tell'; thread: string; message: Numbered }
  | { type: 'model-close'; thread: string }

export function failureOf(error: unknown): WorkFailure {
  const stack = stackOf(error)
  if (error instanceof JobStop) return { type: 'stop', reason: error.stopReason }
  if (error instanceof ThreadDied) return { type: 'thread-died', stack }
  if (!(error instanceof JobError)) return { type: 'fault', stack }
  const { reason, message, retryable, proof } = error
  return { type: 'job', reason, message, retryable, stack, ...(proof && { proof }) }
}

/** The stack from the other process becomes the cause, which only logs show. */
export function errorOf(failure: WorkFailure): Error {
  switch (failure.type) {
    case 'stop':
      return new JobStop(failure.reason)
    case 'thread-died':
      return new ThreadDied('The thread with the models ended', { cause: failure.stack })
    case 'job': {
      const { reason, message, retryable, proof, stack: cause } = failure
      return new JobError(reason, message, { retryable, cause, proof })
    }
    case 'fault':
      return new Error('The process of a job failed', { cause: failure.stack })
  }
}

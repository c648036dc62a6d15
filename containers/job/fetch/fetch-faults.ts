import type { MediaInput } from '../../../worker/contract/job/media-job.ts'
import type { FailureReason } from '../../../worker/contract/job/report.ts'
import { JobError } from '../../errors/job-error.ts'
import { AddressRefusedError } from './vetted-lookup.ts'
import { SourceTooSlowError } from './arrival-pace.ts'
import { NetworkFaultError } from './guarded-fetch.ts'
import type { HeadLimits } from './tables-of.ts'

/** An address to fetch, and the failure reason of the job if that fails. */
export type Fetchable = Pick<MediaInput, 'field' | 'url' | 'origin'> & {
  readonly failure?: FailureReason
  /** A limit below that for sources. */
  readonly maxBytes?: number
  /** If the file is large, only as much is fetched as a plan needs to know. */
  readonly heads?: HeadLimits
}

/** Turns an error of a download into the failure that the customer sees. */
export function asJobError(error: unknown, input: Fetchable, tries: number): unknown {
  if (error instanceof AddressRefusedError) {
    return new JobError('source_not_allowed', `${input.field}: ${error.message}.`, { cause: error })
  }
  if (error instanceof SourceTooSlowError) {
    if (input.origin !== 'customer') return storageFailed(input, error)
    const { bytes, withinMs } = error.pace
    const text = `the file came too slowly: each ${bytes} bytes must arrive within ${withinMs / 1000} seconds.`
    return new JobError(input.failure ?? 'source_too_slow', `${input.field}: ${text}`, {
      cause: error,
    })
  }
  if (error instanceof NetworkFaultError) {
    return unreachable(
      input,
      `${error.message}${tries > 0 ? ` (tried ${tries + 1} times)` : ''}`,
      error,
    )
  }
  return error
}

/** The service's own storage should always answer: its failures are the service's, and temporary. */
export function unreachable(input: Fetchable, what: string, cause?: unknown): JobError {
  if (input.origin !== 'customer') return storageFailed(input, cause ?? new Error(what))
  return new JobError(input.failure ?? 'source_unreachable', `${input.field}: ${what}`, { cause })
}

/** `input` is one of the inputs that were not complete when the time for all of them ended. */
export function notInTime(input: Fetchable, totalMs: number): JobError {
  const cause = new Error(`${input.field} was not there in time`)
  if (input.origin !== 'customer') return storageFailed(input, cause)
  const text = `The files of this video could not all be fetched within ${totalMs / 1000} seconds.`
  return new JobError('source_too_slow', text, { cause })
}

function storageFailed(input: Fetchable, cause: unknown): JobError {
  const text = `${input.field}: the stored file could not be read.`
  return new JobError('storage_failed', text, { retryable: true, cause })
}

/** Whether a failure depends on the host or its answer; such failures of private hosts are kept secret. */
export function isTellTale(error: unknown): boolean {
  return (
    error instanceof JobError ||
    error instanceof AddressRefusedError ||
    error instanceof SourceTooSlowError ||
    error instanceof NetworkFaultError
  )
}

/** The only message for failures of private hosts: it lists the possible causes without saying which one applies. */
export function kept(input: Fetchable, cause: unknown): JobError {
  const wanted =
    input.failure === 'element_unusable' ? 'file for an element' : 'video of a known format'
  const what =
    `no ${wanted} came from this address. Either nothing answers there, or it answers with an error such as 404 or 500, ` +
    'or with something else. Which of these a private host did is only in the log of the media worker.'
  return unreachable(input, what, cause)
}

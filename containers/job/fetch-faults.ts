import type { MediaInput } from '../../worker/contract/media-job.ts'
import type { FailureReason } from '../../worker/contract/report.ts'
import { JobError } from '../errors/job-error.ts'
import { AddressRefusedError } from './address-refused-error.ts'
import { SourceTooSlowError } from './arrival-pace.ts'
import { NetworkFaultError } from './guarded-fetch.ts'

/** An address to be fetched, and the reason a job fails for when it cannot be. */
export type Fetchable = Pick<MediaInput, 'field' | 'url' | 'origin'> & {
  readonly failure?: FailureReason
}

/** What is thrown while an input is fetched, as the customer is told of it. */
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
    return unreachable(input, `${error.message}${tries > 0 ? `, ${tries + 1} times` : ''}`, error)
  }
  return error
}

/** Our own storage is expected to answer: its faults are ours, and pass. */
export function unreachable(input: Fetchable, what: string, cause?: unknown): JobError {
  if (input.origin !== 'customer') return storageFailed(input, cause ?? new Error(what))
  return new JobError(input.failure ?? 'source_unreachable', `${input.field}: ${what}`, { cause })
}

/** `input` is one of those that were still on their way when the time for all of them was over. */
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

/** Faults that the host or its answer decides, and that a private one keeps to itself. */
export function isTellTale(error: unknown): boolean {
  return (
    error instanceof JobError ||
    error instanceof AddressRefusedError ||
    error instanceof SourceTooSlowError ||
    error instanceof NetworkFaultError
  )
}

/** The one text for every failure of a private host: it names what may be the matter, and not which. */
export function kept(input: Fetchable, cause: unknown): JobError {
  const wanted =
    input.failure === 'element_unusable' ? 'file for an element' : 'MP4, MOV, AVI or WebM video'
  const what =
    `no ${wanted} came from this address. Either nothing answers there, or it answers with an error such as 404 or 500, ` +
    'or with something else. Which of these a private host did is only in the log of the media worker.'
  return unreachable(input, what, cause)
}

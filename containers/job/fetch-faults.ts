import type { MediaInput } from '../../worker/contract/media-job.ts'
import type { FailureReason } from '../../worker/contract/report.ts'
import { AddressRefusedError } from './address-refused-error.ts'
import { NetworkFaultError } from './guarded-fetch.ts'
import { JobError } from './job-error.ts'

/** An address to be fetched, and the reason a job fails for when it cannot be. */
export type Fetchable = Pick<MediaInput, 'field' | 'url' | 'origin'> & {
  readonly failure?: FailureReason
}

/** What is told of a fault on the way; whatever is none of those passes as it is. */
export function asJobError(error: unknown, input: Fetchable, tries: number): unknown {
  if (error instanceof AddressRefusedError) {
    return new JobError('source_not_allowed', `${input.field}: ${error.message}.`, { cause: error })
  }
  if (error instanceof NetworkFaultError) {
    return unreachable(input, `${error.message}${tries > 0 ? `, ${tries + 1} times` : ''}`, error)
  }
  return error
}

/** Our own storage is expected to answer: its faults are ours, and pass. */
export function unreachable(input: Fetchable, what: string, cause?: unknown): JobError {
  if (input.origin !== 'customer') {
    const text = `${input.field}: the stored file could not be read.`
    return new JobError('storage_failed', text, {
      retryable: true,
      cause: cause ?? new Error(what),
    })
  }
  return new JobError(input.failure ?? 'source_unreachable', `${input.field}: ${what}`, { cause })
}

/** Faults that the host or its answer decides, and that a private one keeps to itself. */
export function isTellTale(error: unknown): boolean {
  return (
    error instanceof JobError ||
    error instanceof AddressRefusedError ||
    error instanceof NetworkFaultError
  )
}

/** The one text for every failure of a private host. */
export function kept(input: Fetchable, cause: unknown): JobError {
  const wanted =
    input.failure === 'element_unusable' ? 'file for an element' : 'MP4, MOV, AVI or WebM video'
  const what =
    `no ${wanted} could be had from this address. It leads to a private host, of which nothing more is told here; ` +
    'the log of the media worker says why.'
  return unreachable(input, what, cause)
}

import type { Check } from '../../worker/contract/job/check.ts'
import { JobError } from './job-error.ts'

/** A written file that cannot be read. The job makes it again in a safer way, and ends with this error if that does not help. */
export class BrokenResult extends JobError {
  override name = 'BrokenResult'
  readonly check: Check

  constructor(what: string, cause: unknown, ends?: Pick<JobError, 'reason' | 'message'>) {
    const message = `${what} cannot be read: it is cut off or damaged.`
    const check = { name: 'decoding', result: 'failed', message } as const
    const { reason = 'check_failed', message: told = `decoding: ${message}` } = ends ?? {}
    super(reason, told, { cause, ...(!ends && { proof: { checks: [check], outputs: [] } }) })
    this.check = check
  }
}

/** Reads a file that was just written; `what` names it for its owner. */
export async function readResult<Read>(
  what: string,
  signal: AbortSignal,
  read: () => Promise<Read>,
): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    signal.throwIfAborted()
    throw new BrokenResult(what, error)
  }
}

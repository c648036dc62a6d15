import { stackOf } from '../../errors/log.ts'
import type { JobContext } from '../job-context.ts'

/** What is expected to take longer is not tried for a plan. */
export const mostMs = 4_000

/**
 * Tries something to see how large a result becomes. Undefined if that fails or takes far longer than expected, and for a job
 * that may only take so much: it begins with its plan, and would be longer by what is tried.
 */
export async function tryForPlan<Result>(
  context: JobContext,
  what: string,
  trial: (context: JobContext) => Promise<Result>,
): Promise<Result | undefined> {
  if (context.job.most) return undefined
  const late = AbortSignal.timeout(mostMs * 3)
  const signal = AbortSignal.any([context.tools.signal, late])
  try {
    return await trial({ ...context, tools: { ...context.tools, signal } })
  } catch (error) {
    context.tools.signal.throwIfAborted()
    context.log('warn', `${what} of a plan was not tried`, { fault: stackOf(error) })
    return undefined
  }
}

import { stackOf } from '../errors/log.ts'
import type { JobContext } from './job-context.ts'

/** Trials that are expected to take longer are not made for a plan. */
export const mostMs = 4_000
/** For all trials of one plan together, because a person waits for the answer. */
export const allTrialsMs = 8_000

/**
 * Makes a trial to see how large a result becomes. Undefined if that fails or runs out of time, and for a job that may take
 * only a limited time: it begins with its plan, and would be longer by the trial. `share`: how much it may take of the time that is
 * left for all trials.
 */
export async function tryForPlan<Result>(
  context: JobContext,
  what: string,
  trial: (context: JobContext) => Promise<Result>,
  share = 1,
): Promise<Result | undefined> {
  const { trialTime = { leftMs: allTrialsMs } } = context
  if (context.job.most || trialTime.leftMs <= 0) return undefined
  const begunAt = performance.now()
  const ownMs = (trialTime.leftMs * share) / (trialTime.films ?? 1)
  const late = AbortSignal.timeout(Math.ceil(ownMs))
  const signal = AbortSignal.any([context.tools.signal, late])
  try {
    return await trial({ ...context, tools: { ...context.tools, signal } })
  } catch (error) {
    context.tools.signal.throwIfAborted()
    context.log('warn', 'A trial for a plan came to nothing', {
      of: what,
      fault: stackOf(error),
    })
    return undefined
  } finally {
    trialTime.leftMs -= performance.now() - begunAt
  }
}

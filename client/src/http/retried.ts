import { ApiError, ConnectionError, TimeoutError } from '../errors.ts'
import type { Timing } from './timing.ts'

export type RetryPolicy = {
  maxRetries: number
  /** Whether a request may be sent again if nobody knows whether the first one was carried out. */
  repeatable: boolean
  /** Refusals that pass by themselves, besides those that do so for every request. */
  passes?: (error: ApiError) => boolean
}

const firstPauseMs = 500
const longestPauseMs = 30_000
/** Above this, the caller should know: a window of an hour is used up. */
const longestRetryAfterSeconds = 120

/** How long to wait before the same is tried again; undefined if it should not be. `retries` were made already. */
function pauseBeforeRetry(
  error: unknown,
  retries: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (retries >= policy.maxRetries || !isWorthRetrying(error, policy)) return undefined
  const growing = Math.min(firstPauseMs * 2 ** retries, longestPauseMs)
  const named = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (named === undefined) return growing * (0.5 + random() / 2)
  if (named > longestRetryAfterSeconds) return undefined
  // Never earlier than asked; and clients that were refused together do not come back together.
  return named * 1000 + firstPauseMs * random()
}

function isWorthRetrying(error: unknown, policy: RetryPolicy): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return policy.repeatable
  if (!(error instanceof ApiError)) return false
  const { status } = error
  // Refused before anything was done.
  if (status === 429 || policy.passes?.(error)) return true
  return policy.repeatable && (status === 408 || status >= 500)
}

/** The same request is being carried out at this moment, or something it needs; the answer says when to ask again. */
export function isPassingConflict({ status, retryAfterSeconds }: ApiError): boolean {
  return status === 409 && retryAfterSeconds !== undefined
}

export async function retried<Result>(
  work: () => Promise<Result>,
  policy: RetryPolicy,
  { pause, random }: Timing,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await work()
    } catch (error) {
      const ms = signal?.aborted ? undefined : pauseBeforeRetry(error, retries, policy, random)
      if (ms === undefined) throw error
      await pause(ms, signal)
    }
  }
}

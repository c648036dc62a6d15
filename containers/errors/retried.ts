import { setTimeout as pause } from 'node:timers/promises'

export type Tries = {
  /** Before the second, third, … try. */
  readonly pausesMs: readonly number[]
  /** Ends a pause early. */
  readonly signal: AbortSignal
  /**
   * How long to wait after a failure: the pause, or longer. Throws what the failure is to be told as when there is no
   * pause left, or when no other try can end better.
   */
  readonly waitAfter: (error: unknown, pauseMs: number | undefined) => number
}

/** The outcome of the first try that does not fail. */
export async function retried<Result>(
  { pausesMs, signal, waitAfter }: Tries,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      const waitMs = waitAfter(error, pausesMs[failures])
      await pause(waitMs, undefined, { signal }).catch((ended: unknown) =>
        waitAfter(ended, undefined),
      )
    }
  }
}

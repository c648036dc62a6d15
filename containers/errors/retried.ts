import { setTimeout as pause } from 'node:timers/promises'

export type Tries = {
  /** Pauses before the second, third, … try. */
  readonly pausesMs: readonly number[]
  /** Ends a pause early. */
  readonly signal: AbortSignal
  /**
   * Returns how long to wait after a failure: the pause, or longer. Throws the error to report if no pause is left, or
   * if another try cannot help.
   */
  readonly waitAfter: (error: unknown, pauseMs: number | undefined) => number
}

/** Tries the work until it succeeds, and returns its result. */
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

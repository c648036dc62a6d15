/** The interface through which one transcription shares the thread with others. */
export type Turns = {
  /** Runs a step when its turn comes. `checkStop` throws if the transcription must end. */
  take<T>(step: (checkStop: () => void) => Promise<T>): Promise<T>
}

export class StepTimeout extends Error {
  override name = 'StepTimeout'
}

/**
 * Runs steps one at a time in the order of their requests, so a short recording need not wait for a long one to end.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve()

  turnsFor(signal: AbortSignal, stepTimeoutMs: number): Turns {
    return {
      take: async (step) => {
        const turn = this.#last.then(async () => {
          signal.throwIfAborted()
          const deadline = performance.now() + stepTimeoutMs
          return step(() => {
            signal.throwIfAborted()
            if (performance.now() > deadline) throw new StepTimeout()
          })
        })
        this.#last = turn.catch(() => undefined)
        return turn
      },
    }
  }
}

/** What one transcription asks of whoever runs several at once. */
export type Turns = {
  /** Runs a step when its turn comes. `checkStop` throws when the transcription is to end. */
  take<T>(step: (checkStop: () => void) => Promise<T>): Promise<T>
}

export class StepTimeout extends Error {
  override name = 'StepTimeout'
}

/** First come, first served, one step at a time: a short recording need not wait for a long one. */
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

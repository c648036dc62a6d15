/** The interface through which one task shares a thread with others. */
export type Turns = {
  /** Runs a step when its turn comes. `checkStop` throws if the transcription must end. */
  take<T>(step: (checkStop: () => void) => Promise<T>): Promise<T>
}

export class StepTimeout extends Error {
  override name = 'StepTimeout'
}

/** The processor time of a task so far, in milliseconds. Models run in the thread itself, in turns. */
export type Spent = { readonly spentMs: () => number }

/**
 * Runs steps one at a time in the order of their requests, so a short recording need not wait for a long one to end.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve()

  turnsFor(signal: AbortSignal, stepTimeoutMs: number): Turns & Spent {
    let microseconds = 0
    return {
      spentMs: () => microseconds / 1_000,
      take: async (step) => {
        const turn = this.#last.then(async () => {
          signal.throwIfAborted()
          const deadline = performance.now() + stepTimeoutMs
          const before = process.threadCpuUsage()
          try {
            return await step(() => {
              signal.throwIfAborted()
              if (performance.now() > deadline) throw new StepTimeout()
            })
          } finally {
            const { user, system } = process.threadCpuUsage(before)
            microseconds += user + system
          }
        })
        this.#last = turn.catch(() => undefined)
        return turn
      },
    }
  }
}

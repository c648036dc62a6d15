const tries = 1200
const pauseMs = 25

/**
 * Tries again until nothing is thrown, for changes without an event to wait for. To fail at once when a try fails, use
 * `poll`. This is not a sleep: it assumes nothing about how long the change takes. The tries are counted, because a
 * test may have stopped the clock, and last half a minute. Vitest's own waiting ends after a second, and moves a
 * stopped clock.
 */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  for (let left = tries; ; left--) {
    try {
      return await check()
    } catch (error) {
      if (left === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

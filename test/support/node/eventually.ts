const tries = 1200
const pauseMs = 25

/**
 * Asks again until nothing is thrown, for what gives no event to wait for; whoever would rather fail at once when asking
 * fails uses `poll`. Not a sleep: nothing is assumed about how long it takes. The tries are counted, because a test may have
 * stopped the clock, and last half a minute. Vitest's own waiting is over after a second, and moves a stopped clock.
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

const tries = 1200
const pauseMs = 25

/**
 * Asks again until nothing is thrown; half a minute, because a machine may be busy with something else. Vitest's own
 * waiting is over after a second, and moves a clock that a test has stopped.
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

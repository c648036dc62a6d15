/**
 * The most milliseconds of processor time that this thread spent in one turn of the event loop while `work` went on.
 * Processor time, not time on the clock: what else the machine does is not held against it.
 */
export async function longestStepMs(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  let before = spentMs()
  const tick = (): void => {
    const now = spentMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  try {
    await work()
  } finally {
    // A step that ends the work is a step too.
    await new Promise((resolve) => setImmediate(resolve))
    isOver = true
  }
  return longest
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

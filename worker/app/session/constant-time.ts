/** Longer than it takes to hash a password and write a few rows, unless the machine is very busy. */
const leastMs = 600

/** Answers no sooner than after a fixed time, whatever the work was, so that the time does not reveal who has an account. */
export async function inConstantTime<Value>(work: () => Promise<Value>): Promise<Value> {
  const [result] = await Promise.allSettled([work(), scheduler.wait(leastMs)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}

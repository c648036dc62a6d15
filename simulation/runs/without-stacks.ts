/** Runs without the stacks of errors: nobody reads them in a simulated world, and making them takes longest. */
export async function withoutStacks<Value>(run: () => Promise<Value>): Promise<Value> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Nobody reads the stacks of errors in a simulated world, and writing them down takes longer than all else of them. */
export async function withoutStacks<Value>(run: () => Promise<Value>): Promise<Value> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

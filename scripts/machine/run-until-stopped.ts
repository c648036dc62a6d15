/** What shells say of a program that Ctrl-C ended. */
const stopped = 130

/** Runs a command to its exit code. A failure after a request to stop counts as the stop. */
export async function runUntilStopped(
  run: () => Promise<number>,
  stop: AbortSignal,
): Promise<number> {
  try {
    const code = await run()
    return stop.aborted ? stopped : code
  } catch (error) {
    if (stop.aborted) return stopped
    throw error
  }
}

import { listenForStop } from './stop-signals.ts'

/** What shells say of a program that Ctrl-C ended. */
export const stopped = 130

/** Runs a command to its exit code, or until Ctrl-C. A failure after a request to stop counts as the stop. */
export async function runUntilStopped(
  run: (stop: AbortSignal) => Promise<number>,
  stop = listenForStop(process, () => process.exit(stopped)),
): Promise<number> {
  try {
    const code = await run(stop)
    return stop.aborted ? stopped : code
  } catch (error) {
    if (stop.aborted) return stopped
    throw error
  }
}

const everyMs = 60_000

/**
 * Fires the cron once a minute, because only the edge does so by itself. `now` is for a Worker that was just started:
 * its queues have lost their messages, and the sweep sends them again.
 */
export function fireCron(run: () => Promise<void>, onFault: (fault: string) => void) {
  const fire = () => {
    run().catch((error: unknown) => onFault(error instanceof Error ? error.message : String(error)))
  }
  const timer = setInterval(fire, everyMs)
  return { now: fire, stop: () => clearInterval(timer) }
}

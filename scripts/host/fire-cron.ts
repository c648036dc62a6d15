const everyMs = 60_000

/**
 * Nothing fires a cron outside the edge, so this does: once a minute. `now` is for a Worker that was just started: its
 * queues have forgotten everything, and the sweep brings it back.
 */
export function fireCron(run: () => Promise<void>, onFault: (fault: string) => void) {
  const fire = () => {
    run().catch((error: unknown) => onFault(error instanceof Error ? error.message : String(error)))
  }
  const timer = setInterval(fire, everyMs)
  return { now: fire, stop: () => clearInterval(timer) }
}

const everyMs = 60_000
const answerMs = 55_000

/**
 * Wrangler fires no cron locally, so this does, as the edge would: once a minute. `now` is for a Worker that was just
 * started: its queues have forgotten everything, and the sweep brings it back.
 */
export function fireCron(baseUrl: string, onFault: (fault: string) => void) {
  const fire = () => {
    fireOnce(baseUrl).catch((error: unknown) => {
      onFault(error instanceof Error ? error.message : String(error))
    })
  }
  const timer = setInterval(fire, everyMs)
  return { now: fire, stop: () => clearInterval(timer) }
}

async function fireOnce(baseUrl: string): Promise<void> {
  const cron = encodeURIComponent('* * * * *')
  const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=${cron}`, {
    signal: AbortSignal.timeout(answerMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The scheduled run was answered with ${response.status}`)
}

const everyMs = 60_000
const answerMs = 55_000

/** Wrangler fires no cron locally, so this does, as the edge would: now, and once a minute. */
export function fireCron(baseUrl: string, onFault: (fault: string) => void): () => void {
  const fire = () => {
    fireOnce(baseUrl).catch((error: unknown) => {
      onFault(error instanceof Error ? error.message : String(error))
    })
  }
  fire()
  const timer = setInterval(fire, everyMs)
  return () => clearInterval(timer)
}

async function fireOnce(baseUrl: string): Promise<void> {
  const cron = encodeURIComponent('* * * * *')
  const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=${cron}`, {
    signal: AbortSignal.timeout(answerMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The scheduled run was answered with ${response.status}`)
}

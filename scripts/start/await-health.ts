import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 100
const requestMs = 5_000

export type HealthResult = { healthy: true } | { healthy: false; lastAnswer: string }

/** Asks GET /health until it answers 200 or the signal says to give up. */
export async function awaitHealth(baseUrl: string, giveUp: AbortSignal): Promise<HealthResult> {
  let lastAnswer = 'no answer'
  while (!giveUp.aborted) {
    const answer = await askHealth(baseUrl, giveUp)
    if (answer === undefined) return { healthy: true }
    lastAnswer = answer
    await delay(pollMs, undefined, { signal: giveUp }).catch(() => undefined)
  }
  return { healthy: false, lastAnswer }
}

async function askHealth(baseUrl: string, giveUp: AbortSignal): Promise<string | undefined> {
  const signal = AbortSignal.any([giveUp, AbortSignal.timeout(requestMs)])
  try {
    const response = await fetch(`${baseUrl}/health`, { signal })
    const body = await response.text()
    return response.status === 200 ? undefined : `${response.status} ${body.slice(0, 500)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

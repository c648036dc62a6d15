import { setTimeout as delay } from 'node:timers/promises'
import { health } from '../../../worker/contract/answers/health.ts'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'

const pollMs = 100
const requestMs = 5_000

type HealthResult =
  | { healthy: true; lacksMediaWorkers: boolean }
  | { healthy: false; lastAnswer: string }

type Patience = {
  giveUp: AbortSignal
  /** Media workers on other machines may come later; jobs wait for them. */
  waitsForMediaWorkers: boolean
}

/** Asks GET /health until it answers 200 or the signal says to give up. */
export async function awaitHealth(
  baseUrl: string,
  { giveUp, waitsForMediaWorkers }: Patience,
): Promise<HealthResult> {
  let lastAnswer = 'no answer'
  while (!giveUp.aborted) {
    const answer = await askHealth(baseUrl, giveUp)
    if (answer === undefined) return { healthy: true, lacksMediaWorkers: false }
    if (!waitsForMediaWorkers && lacksOnlyMediaWorkers(answer)) {
      return { healthy: true, lacksMediaWorkers: true }
    }
    lastAnswer = answer
    await delay(pollMs, undefined, { signal: giveUp }).catch(() => undefined)
  }
  return { healthy: false, lastAnswer }
}

function lacksOnlyMediaWorkers(answer: string): boolean {
  const { data } = health.safeParse(jsonOf(answer.replace(/^503 /, '')))
  const failing = Object.entries(data?.checks ?? {}).filter(
    ([, { status }]) => status === 'failing',
  )
  return failing.length > 0 && failing.every(([name]) => name === 'mediaWorkers')
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

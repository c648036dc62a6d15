import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again until the answer is there, as a client of the service does. This is not a sleep: it assumes nothing about
 * how long the answer takes, and gives up only when the service has clearly failed.
 */
export async function poll<Value>(
  what: string,
  ask: () => Promise<Value | undefined>,
  patienceMs = 240_000,
): Promise<Value> {
  const end = Date.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`waited ${patienceMs} ms in vain for ${what}`)
    await pause(100)
  }
}

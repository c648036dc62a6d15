import { setTimeout as pause } from 'node:timers/promises'

/**
 * Asks again until the answer is there, as a client of the service does. Not a sleep: nothing is assumed about how long
 * it takes, and the time is up only when the service has plainly failed.
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

import { mediaWorkerHealth } from '../contract/media-job.ts'

const timeoutMs = 2000

export type MediaWorkerState =
  | { url: string; up: true; slots: number; running: number; fetching: number; stopping: boolean }
  | { url: string; up: false }

/** Asks every media worker that has an address how busy it is. Containers have none: each is started for its job. */
export async function askMediaWorkers(urls: readonly string[]): Promise<MediaWorkerState[]> {
  return Promise.all(
    urls.map(async (url): Promise<MediaWorkerState> => {
      try {
        const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) })
        const { slots, running, fetching, stopping } = mediaWorkerHealth.parse(
          await response.json(),
        )
        return { url, up: true, slots, running, fetching, stopping }
      } catch {
        // One that is down is what the answer tells.
        return { url, up: false }
      }
    }),
  )
}

/** How many more jobs these media workers may take, as far as they tell. */
export function freeSlots(states: readonly MediaWorkerState[]): number {
  return states.reduce((sum, one) => {
    return one.up && !one.stopping ? sum + Math.max(0, one.slots - one.running) : sum
  }, 0)
}

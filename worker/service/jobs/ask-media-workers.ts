import { judgeDisk, type DiskLevel } from '../../contract/job/disk-space.ts'
import { mediaWorkerHealth } from '../../contract/job/media-job.ts'

const timeoutMs = 2000

export type MediaWorkerState =
  | {
      url: string
      up: true
      slots: number
      running: number
      fetching: number
      stopping: boolean
      disk: DiskLevel
      engine?: string | undefined
    }
  | { url: string; up: false }

/** Asks every media worker that has an address how busy it is. Containers have none: each is started for its job. */
export async function askMediaWorkers(urls: readonly string[]): Promise<MediaWorkerState[]> {
  return Promise.all(
    urls.map(async (url): Promise<MediaWorkerState> => {
      try {
        const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) })
        const health = mediaWorkerHealth.parse(await response.json())
        const { slots, running, fetching, stopping, engine } = health
        const disk = judgeDisk(health.disk)
        return { url, up: true, slots, running, fetching, stopping, disk, engine }
      } catch {
        // A media worker that is down is an answer too.
        return { url, up: false }
      }
    }),
  )
}

/** Whether this media worker would take a job if it had a free slot. */
export function takesJobs(one: MediaWorkerState): one is MediaWorkerState & { up: true } {
  return one.up && !one.stopping && one.disk === 'roomy'
}

/** How many more jobs these media workers may take, as far as is known. */
export function freeSlots(states: readonly MediaWorkerState[]): number {
  return states.reduce((sum, one) => {
    return takesJobs(one) ? sum + Math.max(0, one.slots - one.running) : sum
  }, 0)
}

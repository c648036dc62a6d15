import { isolateMemory } from '../../contract/isolate-memory.ts'
import { askMediaWorkers, takesJobs } from '../../service/jobs/ask-media-workers.ts'
import { describeError, log } from '../../service/log.ts'
import type { Settings } from '../../settings.ts'
import {
  cancelAt,
  offerTo,
  planAt,
  type WorkerConnection,
  type MediaCarrier,
} from './media-worker.ts'

/** A media worker that hangs delays every offer by a whole timeout, so it is not asked for this long. */
const sparedMs = 15_000
const sparedUntil = isolateMemory(() => new Map<string, number>())

function lineTo(worker: string, { mediaWorkers }: Settings): WorkerConnection {
  return { send: async (path, init) => fetch(worker + path, init), token: mediaWorkers.token }
}

/** Starts at a random worker to spread the load, and leaves out those that hung a moment ago if there are others. */
function inOrder(urls: readonly string[]): string[] {
  const first = Math.floor(Math.random() * urls.length)
  const all = [...urls.slice(first), ...urls.slice(0, first)]
  const answering = all.filter((url) => (sparedUntil.current.get(url) ?? 0) <= Date.now())
  return answering.length > 0 ? answering : all
}

/** Media workers that are Node processes at known addresses. */
export function httpMediaWorkers(settings: Settings): MediaCarrier {
  return {
    workers: () => inOrder(settings.mediaWorkers.urls),
    async plan(worker, job) {
      try {
        return await planAt(lineTo(worker, settings), worker, job)
      } catch (error) {
        log('warn', 'media worker did not answer', { worker, ...describeError(error) })
        return 'silent'
      }
    },
    async offer(worker, job, interrupted) {
      try {
        return await offerTo(lineTo(worker, settings), worker, { job, interrupted })
      } catch (error) {
        log('warn', 'media worker did not answer', { worker, ...describeError(error) })
        const hung = error instanceof Error && error.name === 'TimeoutError'
        if (hung) sparedUntil.current.set(worker, Date.now() + sparedMs)
        return 'silent'
      }
    },
    cancel: async (worker, jobId, fence, part) =>
      cancelAt(lineTo(worker, settings), { jobId, fence, part }),
    async engines() {
      const states = await askMediaWorkers(settings.mediaWorkers.urls)
      return states.filter(takesJobs).flatMap(({ engine }) => engine ?? [])
    },
    async release() {},
    gone: () => undefined,
    async renew() {},
    lookMs: Infinity,
    startsSlowly: false,
  }
}

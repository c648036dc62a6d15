import { stopTheClock } from './clock.ts'
import { standInQueue } from './job-queue.ts'
import { standInMediaWorkers } from './media-workers.ts'

/** Stops the clock and stands in for media workers and queues, in every test of a file. */
export function standInForAll() {
  stopTheClock()
  return { media: standInMediaWorkers(), queue: standInQueue() }
}

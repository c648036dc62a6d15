import { stopTheClock } from './clock.ts'
import { standInQueue } from './job-queue.ts'
import { standInMediaWorkers } from './media-workers.ts'

type StandIns = {
  media: ReturnType<typeof standInMediaWorkers>
  queue: ReturnType<typeof standInQueue>
}
let known: StandIns | undefined

/** Stops the clock and stands in for media workers and queues, in every test of a file. */
export function standInForAll(): StandIns {
  stopTheClock()
  known = { media: standInMediaWorkers(), queue: standInQueue() }
  return known
}

/** Those of the file that runs. */
export function standIns(): StandIns {
  if (!known) throw new Error('This file stands in for nothing: call standInForAll()')
  return known
}

import type { ListedJob } from '../../store/operator-lists.ts'
import type { MediaWorkerState } from '../jobs/ask-media-workers.ts'

/** A job that has come within this time is still on its way. */
const soonMs = 5_000

/** Why a queued job does not run, for its operator: the first reason that holds, from the widest to the narrowest. */
export function whyWaiting(
  job: Pick<ListedJob, 'maxRunning' | 'running' | 'attempts' | 'createdAt' | 'waits'>,
  mediaWorkers: readonly MediaWorkerState[],
  now: number,
): string {
  const answering = mediaWorkers.filter((one) => one.up)
  if (mediaWorkers.length > 0 && answering.length === 0) return 'No media worker is responding'
  if (job.maxRunning !== null && job.running >= job.maxRunning) {
    return `Its account already has ${job.running} running, as many as its plan allows`
  }
  if (answering.length > 0 && answering.every(({ disk }) => disk !== 'roomy')) {
    return 'No media worker has enough disk space for another job'
  }
  const slots = answering.reduce((sum, one) => sum + one.slots, 0)
  const busy = answering.reduce((sum, one) => sum + one.running, 0)
  if (answering.length > 0 && busy >= slots)
    return slots === 1 ? 'The only slot is taken' : `All ${slots} slots are taken`
  if (job.attempts > 0) return `Attempt ${job.attempts} ended; the next one starts soon`
  if (now - job.createdAt < soonMs) return 'Just created'
  return job.waits > 0 ? 'In line for its turn' : 'About to start'
}

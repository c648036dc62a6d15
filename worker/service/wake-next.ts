import type { Env } from '../settings.ts'
import { claimLongestWaiting } from '../store/jobs.ts'
import { describeError, log } from './log.ts'

/** A media worker says that a job is over a moment before its slot is free; a second later it is. */
export const wakeTries = 3
/** Until then the job woken has its slot, or has given it up. */
const wakeMs = 5000

/**
 * A slot has fallen free: the job that waited longest need not wait for its delayed message. That message is the net,
 * so a wake that fails is worth a line in the log and no more.
 */
export async function wakeNext(env: Env): Promise<void> {
  try {
    const now = Date.now()
    const jobId = await claimLongestWaiting(env.DB, now, now - wakeMs)
    if (jobId === undefined) return
    await env.JOBS.send({ kind: 'dispatch', jobId, woken: 0 })
  } catch (error) {
    log('warn', 'no job was woken', describeError(error))
  }
}

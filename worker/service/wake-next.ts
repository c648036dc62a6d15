import type { TurnMessage } from '../contract/job-message.ts'
import type { Env } from '../settings.ts'
import { giveTurn, returnTurn, type Turn } from '../store/turns.ts'
import { describeError, log } from './log.ts'

/**
 * A media worker reports the end of a job a moment before its slot is free, so the turn is tried again for a second or
 * two.
 */
const triesForSlot = 2

/**
 * The message to the job whose turn it is: for a slot that has become free, or only to find out whether there is one.
 */
export function turnMessage({ jobId, at }: Turn, why: 'slot' | 'probe'): TurnMessage {
  return { kind: 'turn', jobId, at, triesLeft: why === 'slot' ? triesForSlot : 0 }
}

/**
 * A slot has become free, so the next job need not wait for its delayed message. That message still comes, so a failure
 * here is only logged.
 */
export async function wakeNext(env: Env): Promise<void> {
  try {
    await tellTurn(env, await giveTurn(env.DB, { now: Date.now(), evenPassed: true }))
  } catch (error) {
    log('warn', 'no job was woken', describeError(error))
  }
}

/** Tells the job that it has a turn for a free slot. */
export async function tellTurn(env: Env, turn: Turn | undefined): Promise<void> {
  if (!turn) return
  try {
    await env.JOBS.send(turnMessage(turn, 'slot'))
  } catch (error) {
    log('warn', 'no job was woken', describeError(error))
    await returnQuietly(env, turn)
  }
}

/** A turn that nobody was told about keeps other jobs waiting until it expires. */
async function returnQuietly(env: Env, turn: Turn): Promise<void> {
  try {
    await returnTurn(env.DB, turn)
  } catch (error) {
    log('warn', 'a turn was not returned', { jobId: turn.jobId, ...describeError(error) })
  }
}

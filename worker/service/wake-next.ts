import type { TurnMessage } from '../contract/job-message.ts'
import type { Env } from '../settings.ts'
import { giveTurn, returnTurn, type Turn } from '../store/turns.ts'
import { describeError, log } from './log.ts'

/** A media worker says that a job is over a moment before its slot is free; a second or two later it is. */
const triesForSlot = 2

/** The message to the job whose turn it is: for a slot that fell free, or only to find out whether there is one. */
export function turnMessage({ jobId, at }: Turn, why: 'slot' | 'probe'): TurnMessage {
  return { kind: 'turn', jobId, at, triesLeft: why === 'slot' ? triesForSlot : 0 }
}

/**
 * A slot has fallen free: whose turn it is need not wait for its delayed message. That message is the net, so a wake
 * that fails is worth a line in the log and no more.
 */
export async function wakeNext(env: Env): Promise<void> {
  let turn: Turn | undefined
  try {
    turn = await giveTurn(env.DB, { now: Date.now(), evenPassed: true })
    if (turn) await env.JOBS.send(turnMessage(turn, 'slot'))
  } catch (error) {
    log('warn', 'no job was woken', describeError(error))
    if (turn) await returnQuietly(env, turn)
  }
}

/** Until it is over by itself, a turn that nobody was told of keeps others waiting. */
async function returnQuietly(env: Env, turn: Turn): Promise<void> {
  try {
    await returnTurn(env.DB, turn)
  } catch (error) {
    log('warn', 'a turn was not returned', { jobId: turn.jobId, ...describeError(error) })
  }
}

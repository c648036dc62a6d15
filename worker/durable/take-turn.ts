import type { JobMessage, TurnMessage } from '../contract/job-message.ts'
import { isTerminal } from '../contract/video-state.ts'
import { isUnderstood, overdue } from '../service/decide-attempt.ts'
import { log } from '../service/log.ts'
import { waitSeconds } from '../service/wait-seconds.ts'
import { turnMessage } from '../service/wake-next.ts'
import type { Env } from '../settings.ts'
import { findJob, firstSweepMs, keepWaiting, type JobToRun } from '../store/jobs.ts'
import { askForTurn, giveTurn, hasTurn, passedMs, returnTurn, type Turn } from '../store/turns.ts'
import type { JobEnd } from './job-end.ts'
import { unclaimed } from './run-state.ts'
import type { RunnerParts } from './runner-parts.ts'
import type { Offered, UnheldJob } from './unheld-job.ts'

type Runner = {
  parts: RunnerParts
  unheld: UnheldJob
  end: JobEnd
  /** Ends an offer under way, because a cancel is waiting. */
  interrupted: AbortSignal
}

/** A slot that was reported free but is still taken may be free a second later. */
const retrySeconds = 1

/**
 * Handles a message for a job that nobody holds: the job is offered if it is its turn, and waits otherwise. Returns the
 * message for the job whose turn it is instead, or next, so that the same consumer can deliver it at once.
 */
export async function takeTurn(
  runner: Runner,
  message: JobMessage,
): Promise<TurnMessage | undefined> {
  const { end } = runner
  const { env, settings, memory } = runner.parts
  const known = memory.state()
  if (known?.running || known?.endedAt !== undefined) return passOn(env, message)
  const found = await findUnheld(runner, message)
  if (!found) return passOn(env, message)
  if (isOld(message, found.job)) return undefined
  const now = Date.now()
  const error = overdue(found.job, { ...settings, now })
  if (error) {
    await end.write(found, unclaimed(found), { to: 'failed', error })
    return undefined
  }
  const isItsTurn = message.kind === 'turn' || hasTurn(found.job, now) || found.mayTryAtOnce
  const turn = isItsTurn
    ? { jobId: found.job.id, at: found.job.wokenAt }
    : await askForTurn(env.DB, found.job.id, now)
  if (turn?.jobId === found.job.id) return use(runner, found, message, turn)
  await wait(env, found, message, {})
  return turn && turnMessage(turn, 'probe')
}

/** The waiting job; undefined if it is over or gone. */
async function findUnheld(
  { parts: { env }, unheld }: Runner,
  { jobId }: JobMessage,
): Promise<JobToRun | undefined> {
  const found = await findJob(env.DB, jobId)
  if (!found || isTerminal(found.video.status)) return undefined
  if (found.video.status !== 'running') return found
  // The row says running but nobody holds the job: this object has forgotten its attempt.
  await unheld.putBack(found)
  return findJob(env.DB, jobId)
}

/** True if a later message has replaced this one, or if its turn is over. */
function isOld(message: JobMessage, job: JobToRun['job']): boolean {
  return message.kind === 'turn' ? job.wokenAt !== message.at : message.chain < job.chain
}

async function use(
  runner: Runner,
  found: JobToRun,
  message: JobMessage,
  turn: Turn,
): Promise<TurnMessage | undefined> {
  const { env } = runner.parts
  const offered = await offer(runner, found)
  switch (offered) {
    case 'nothing-to-do':
      return passOn(env, message)
    case 'started':
      // If a waiting job has found a slot there may be more: a media worker that has just come back has all of its
      // slots free.
      return message.kind === 'turn' || found.job.waits > 0 ? giveOn(env, 'probe') : undefined
    case 'busy':
    case 'silent':
    case 'refused':
      return giveBack(env, found, message, { turn, offered })
  }
}

async function offer({ parts, unheld, interrupted }: Runner, found: JobToRun): Promise<Offered> {
  const known = parts.memory.state()
  if (isUnderstood(found.video.request)) return unheld.offer(found, known, interrupted)
  log('error', 'a stored job was not understood', { jobId: found.job.id })
  return unheld.bearRefusal(found, known, 'service')
}

async function giveBack(
  env: Env,
  found: JobToRun,
  message: JobMessage,
  { turn, offered }: { turn: Turn; offered: 'busy' | 'silent' | 'refused' },
): Promise<TurnMessage | undefined> {
  // If all workers are busy, other jobs would find no slot either. Otherwise the fault may be in this job, and others
  // may go first for a while.
  const passedUntil = offered === 'busy' ? 0 : Date.now() + passedMs
  if (message.kind === 'dispatch') {
    await wait(env, found, message, { turn, passedUntil })
    return undefined
  }
  const { triesLeft } = message
  if (offered === 'busy' && triesLeft > 0) {
    await env.JOBS.send({ ...message, triesLeft: triesLeft - 1 }, { delaySeconds: retrySeconds })
    return undefined
  }
  await returnTurn(env.DB, turn, passedUntil)
  return offered === 'refused' && triesLeft > 0 ? giveOn(env, 'slot') : undefined
}

/**
 * The next message is sent before its number is written. If anything fails in between, this message comes again and
 * sends another one with the same number; the first of them to be read makes the others outdated.
 */
async function wait(
  env: Env,
  { job }: JobToRun,
  message: JobMessage,
  { turn, passedUntil }: { turn?: Turn; passedUntil?: number },
): Promise<void> {
  const chain = 1 + Math.max(job.chain, message.kind === 'dispatch' ? message.chain : 0)
  const delaySeconds = waitSeconds(job.waits, Math.random)
  await env.JOBS.send({ kind: 'dispatch', jobId: job.id, chain }, { delaySeconds })
  const sweepAfter = Date.now() + delaySeconds * 1000 + firstSweepMs
  const waits = job.waits + 1
  await keepWaiting(env.DB, job.id, { chain, waits, sweepAfter, turnAt: turn?.at, passedUntil })
}

/** The job is held or over, so the slot that its message was about goes to another job. */
async function passOn(env: Env, message: JobMessage): Promise<TurnMessage | undefined> {
  return message.kind === 'turn' ? giveOn(env, 'slot') : undefined
}

async function giveOn(env: Env, why: 'slot' | 'probe'): Promise<TurnMessage | undefined> {
  const turn = await giveTurn(env.DB, { now: Date.now(), evenPassed: false })
  return turn && turnMessage(turn, why)
}

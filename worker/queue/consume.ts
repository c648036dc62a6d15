import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log, withLogFields } from '../service/log.ts'
import { wakeNext, wakeTries } from '../service/wake-next.ts'
import type { Env } from '../settings.ts'
import { firstSweepMs, makeWakeable, markDeadLettered, moveSweep } from '../store/jobs.ts'
import { jobMessage, unreadDelaySeconds, waitSeconds, type JobMessage } from './message.ts'

/** Dispatches jobs to their runners. Waiting for capacity is no error: acknowledged, and sent again with a delay. */
export async function consumeJobs(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    await withLogFields({ messageId: message.id }, async () => consumeJob(message, env))
  }
}

async function consumeJob(message: Message, env: Env): Promise<void> {
  const parsed = jobMessage.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'a queue message could not be read')
    message.retry({ delaySeconds: unreadDelaySeconds })
    return
  }
  try {
    await dispatch(env, parsed.data)
    message.ack()
  } catch (error) {
    log('error', 'dispatch failed', { jobId: parsed.data.jobId, ...describeError(error) })
    message.retry()
  }
}

async function dispatch(env: Env, message: JobMessage): Promise<void> {
  const { jobId, waits, woken } = message
  const outcome = await jobRunner(env, jobId).dispatch(jobId)
  switch (outcome) {
    case 'started':
      // Where one that waited has found a slot there may be more: a media worker that has come back has them all free.
      if (woken !== undefined || waits > 0) await wakeNext(env)
      return
    case 'nothing-to-do':
      // The slot that it was woken for is still there for another one.
      if (woken !== undefined) await wakeNext(env)
      return
    case 'no-capacity':
      if (woken === undefined) await waitForCapacity(env, jobId, waits)
      else await wakeAgain(env, jobId, woken)
  }
}

async function waitForCapacity(env: Env, jobId: string, waits: number): Promise<void> {
  const delaySeconds = waitSeconds(waits, Math.random)
  await env.JOBS.send({ kind: 'dispatch', jobId, waits: waits + 1 }, { delaySeconds })
  await moveSweep(env.DB, jobId, Date.now() + delaySeconds * 1000 + firstSweepMs)
}

/** A job that was woken has a delayed message already; a second one for ever would be one too many. */
async function wakeAgain(env: Env, jobId: string, woken: number): Promise<void> {
  // The next slot that falls free must find it, however soon that is.
  if (woken + 1 >= wakeTries) return makeWakeable(env.DB, jobId)
  await env.JOBS.send({ kind: 'dispatch', jobId, woken: woken + 1 }, { delaySeconds: 1 })
}

/** A message that failed too often is no reason to lose a job: its runner decides what is true. */
export async function consumeDeadJobs(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    await withLogFields({ messageId: message.id }, async () => consumeDeadJob(message, env))
  }
}

const deadDelaySeconds = 60

async function consumeDeadJob(message: Message, env: Env): Promise<void> {
  const parsed = jobMessage.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'a dead letter could not be read')
    message.ack()
    return
  }
  const { jobId } = parsed.data
  log('error', 'a dispatch was dead-lettered', { jobId })
  try {
    await markDeadLettered(env.DB, jobId, Date.now())
    if ((await jobRunner(env, jobId).checkUp(jobId)) === 'send') {
      await env.JOBS.send({ kind: 'dispatch', jobId }, { delaySeconds: deadDelaySeconds })
    }
    message.ack()
  } catch (error) {
    log('error', 'a dead letter could not be dealt with', { jobId, ...describeError(error) })
    message.retry({ delaySeconds: deadDelaySeconds })
  }
}

import { jobMessage, type JobMessage, type TurnMessage } from '../contract/job-message.ts'
import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log, withLogFields } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { markDeadLettered } from '../store/jobs.ts'
import { unreadDelaySeconds } from './message.ts'

/**
 * Dispatches jobs to their runners. Waiting for capacity is not an error: the message is acknowledged, and another one
 * sent with a delay.
 */
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

/** How many jobs one consumer serves in a row before it sends a message instead. */
const mostInARow = 8

/**
 * Delivers a message, and at once the messages that follow from it: a job that finds no slot passes the word to the job
 * whose turn it is.
 */
async function dispatch(env: Env, message: JobMessage): Promise<void> {
  let next = await jobRunner(env, message.jobId).dispatch(message)
  for (let served = 1; next && served < mostInARow; served++) next = await goOn(env, next)
  if (next) await env.JOBS.send(next)
}

/** The first message has done its work, so a failure here must not repeat it. */
async function goOn(env: Env, message: TurnMessage): Promise<TurnMessage | undefined> {
  try {
    return await jobRunner(env, message.jobId).dispatch(message)
  } catch (error) {
    log('error', 'dispatch failed', { jobId: message.jobId, ...describeError(error) })
    await env.JOBS.send(message)
    return undefined
  }
}

/** A job must not be lost because its message failed too often; its runner decides what to do. */
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
    const checkup = await jobRunner(env, jobId).checkUp(jobId)
    if (checkup.found === 'send') {
      const message = { kind: 'dispatch', jobId, chain: checkup.chain }
      await env.JOBS.send(message, { delaySeconds: deadDelaySeconds })
    }
    message.ack()
  } catch (error) {
    log('error', 'a dead letter could not be dealt with', { jobId, ...describeError(error) })
    message.retry({ delaySeconds: deadDelaySeconds })
  }
}

import { jobMessage, type JobMessage, type TurnMessage } from '../contract/job-message.ts'
import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log, withLogFields } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { markDeadLettered } from '../store/jobs.ts'
import { unreadDelaySeconds } from './message.ts'

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

/** How many jobs one consumer serves in a row before it sends a message instead. */
const mostInARow = 8

/** Delivers a message, and at once what follows from it: who finds no slot finds out for the one whose turn it is. */
async function dispatch(env: Env, message: JobMessage): Promise<void> {
  let next = await jobRunner(env, message.jobId).dispatch(message)
  for (let served = 1; next && served < mostInARow; served++) next = await goOn(env, next)
  if (next) await env.JOBS.send(next)
}

/** The first message has done its work: what fails from here on is not its to repeat. */
async function goOn(env: Env, message: TurnMessage): Promise<TurnMessage | undefined> {
  try {
    return await jobRunner(env, message.jobId).dispatch(message)
  } catch (error) {
    log('error', 'dispatch failed', { jobId: message.jobId, ...describeError(error) })
    await env.JOBS.send(message)
    return undefined
  }
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

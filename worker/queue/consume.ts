import { jobMessage } from '../contract/job/job-message.ts'
import { jobRunner } from '../durable/job/job-runner.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { markDeadLettered } from '../store/jobs/jobs.ts'
import { cancelSome } from '../command/cancel-batch.ts'
import { batchMessage, unreadDelaySeconds } from './message.ts'

/** Brings a job to its runner. Waiting for capacity is not an error: the message of a job that stands in line is done. */
export async function consumeJob(message: Message, env: Env): Promise<void> {
  const ofBatch = batchMessage.safeParse(message.body)
  if (ofBatch.success) return consumeCancel(message, env, ofBatch.data.batchId)
  const parsed = jobMessage.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'a queue message could not be read')
    message.retry({ delaySeconds: unreadDelaySeconds })
    return
  }
  try {
    await jobRunner(env, parsed.data.jobId).dispatch(parsed.data)
    message.ack()
  } catch (error) {
    log('error', 'dispatch failed', { jobId: parsed.data.jobId, ...describeError(error) })
    message.retry()
  }
}

/** Goes on with a batch that is being canceled. If this fails, the sweep goes on with it. */
async function consumeCancel(message: Message, env: Env, batchId: string): Promise<void> {
  try {
    await cancelSome(env, batchId)
  } catch (error) {
    log('error', 'a batch could not be canceled further', { batchId, ...describeError(error) })
  }
  message.ack()
}

const deadDelaySeconds = 60

/** A job must not be lost because its message failed too often; its runner decides what to do. */
export async function consumeDeadJob(message: Message, env: Env): Promise<void> {
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

import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log, withLogFields } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { firstSweepMs, moveSweep } from '../store/jobs.ts'
import { jobMessage, waitSeconds } from './message.ts'

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
    message.ack()
    return
  }
  try {
    await dispatch(env, parsed.data.jobId, parsed.data.waits)
    message.ack()
  } catch (error) {
    log('error', 'dispatch failed', { jobId: parsed.data.jobId, ...describeError(error) })
    message.retry()
  }
}

async function dispatch(env: Env, jobId: string, waits: number): Promise<void> {
  const outcome = await jobRunner(env, jobId).dispatch(jobId)
  if (outcome !== 'no-capacity') return
  const delaySeconds = waitSeconds(waits, Math.random)
  await env.JOBS.send({ kind: 'dispatch', jobId, waits: waits + 1 }, { delaySeconds })
  await moveSweep(env.DB, jobId, Date.now() + delaySeconds * 1000 + firstSweepMs)
}

/** A message that failed too often is no reason to lose a job: its runner decides what is true. */
export async function consumeDeadJobs(batch: MessageBatch, env: Env): Promise<void> {
  for (const message of batch.messages) {
    const parsed = jobMessage.safeParse(message.body)
    if (parsed.success) {
      const { jobId } = parsed.data
      log('error', 'a dispatch was dead-lettered', { jobId })
      if ((await jobRunner(env, jobId).checkUp(jobId)) === 'send') {
        await env.JOBS.send({ kind: 'dispatch', jobId }, { delaySeconds: 60 })
      }
    }
    message.ack()
  }
}

import { fewAtOnce } from '../contract/few-at-once.ts'
import { AppError } from '../contract/answers/errors.ts'
import { withinMs } from '../contract/within-ms.ts'
import { jobRunner } from '../durable/job/job-runner.ts'
import { batchNotFound } from '../service/batches/describe-batch.ts'
import { endBatchIfThrough } from '../service/batches/end-batch.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import type { BatchRow } from '../store/tables/tables.ts'
import { findBatch, listUnfinishedJobs, markCanceled } from '../store/videos/batches.ts'

/** Canceling one job takes one call of its object, and that object makes a few of the database. */
const jobsAtOnce = 50
const callsAtOnce = 16
/** An object that never answers must not keep the others from being canceled, nor stop the sweep. */
const answerMs = 10_000

/** Cancels what has not ended of a batch, and returns it as it then is. A batch that is canceled already stays so. */
export async function cancelBatch(
  env: Env,
  { id, accountId }: Pick<BatchRow, 'id' | 'accountId'>,
  now: number,
): Promise<BatchRow> {
  const isOpen = await markCanceled(env.DB, id, now)
  if (isOpen) await cancelSome(env, id)
  const row = await findBatch(env.DB, accountId, id)
  if (!row) throw batchNotFound()
  if (!isOpen && row.canceledAt === null) {
    throw new AppError('Conflict', 'The batch has already ended; it cannot be canceled.')
  }
  return row
}

/**
 * Cancels some of the videos of a batch that have not ended, and has the queue go on with the rest. If that message is
 * lost, the sweep goes on: it knows that the batch is to be canceled.
 */
export async function cancelSome(env: Env, batchId: string): Promise<void> {
  const found = await listUnfinishedJobs(env.DB, batchId, jobsAtOnce)
  let canceled = 0
  await fewAtOnce(found, callsAtOnce, async (jobId) => {
    if (await cancelJob(env, jobId)) canceled++
  })
  // The job that ended last may have died before it could end the batch.
  await endBatchIfThrough(env, batchId)
  // If no video could be canceled, the sweep tries again later.
  if (found.length < jobsAtOnce || canceled === 0) return
  try {
    await env.JOBS.send({ kind: 'cancel-batch', batchId })
  } catch (error) {
    const fields = { batchId, ...describeError(error) }
    log('warn', 'queue refused to go on canceling a batch; the sweep will', fields)
  }
}

async function cancelJob(env: Env, jobId: string): Promise<boolean> {
  try {
    await withinMs(answerMs, jobRunner(env, jobId).cancel(jobId))
    return true
  } catch (error) {
    log('warn', 'a video of a batch was not canceled', { jobId, ...describeError(error) })
    return false
  }
}

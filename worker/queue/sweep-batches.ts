import { cancelSome } from '../command/cancel-batch.ts'
import { endBatchIfThrough } from '../service/batches/end-batch.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { listDueBatches, postponeBatches } from '../store/videos/batches.ts'

/** One tick looks at this many batches at most; the next one continues. */
const batchesPerTick = 50
/** Canceling takes a call for each video, so one tick continues this many at most. */
const canceledPerTick = 5

/** Ends batches whose last video has ended without anybody left to say so, and goes on with those that are to be canceled. */
export async function sweepBatches(env: Env, now: number): Promise<void> {
  const due = await listDueBatches(env.DB, now, batchesPerTick)
  const canceled = due.filter(({ canceledAt }) => canceledAt !== null).slice(0, canceledPerTick)
  const others = due.filter(({ canceledAt }) => canceledAt === null)
  for (const { id } of canceled) await attempt(id, async () => cancelSome(env, id))
  for (const { id } of others) await attempt(id, async () => endBatchIfThrough(env, id))
  await postponeBatches(
    env.DB,
    [...canceled, ...others].map(({ id }) => id),
    now,
  )
}

async function attempt(batchId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('error', 'sweep could not look after a batch', { batchId, ...describeError(error) })
  }
}

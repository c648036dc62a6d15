import type { BatchEvent } from '../../contract/batches/batch.ts'
import { mintId } from '../../contract/ids.ts'
import type { Env } from '../../settings.ts'
import {
  countInBatches,
  endBatch,
  findOpenBatch,
  hasUnfinished,
} from '../../store/videos/batches.ts'
import { timestamp } from '../videos/describe-video.ts'
import { sendEvent } from '../webhooks/deliveries.ts'
import { eventFor } from '../webhooks/event-for.ts'
import { countsOf, describeBatch } from './describe-batch.ts'

/** How long a batch can be read after its end; its videos have lifetimes of their own. */
const keptMs = 366 * 86_400_000

/**
 * Ends a batch whose videos have all ended, and announces it. Safe to call at any time and by several callers at once: one
 * change ends the batch and writes its event. Returns whether this call did.
 */
export async function endBatchIfThrough(env: Env, batchId: string): Promise<boolean> {
  if (await hasUnfinished(env.DB, batchId)) return false
  const open = await findOpenBatch(env.DB, batchId)
  if (!open) return false
  const now = Date.now()
  const { batch, endpoints } = open
  const counts = countsOf(batch, (await countInBatches(env.DB, [batchId])).get(batchId))
  const { accountId } = batch
  const type = 'batch.ended'
  const webhookUrl = batch.webhookUrl ?? undefined
  const event = await eventFor({ accountId, type, webhookUrl, endpoints }, async () => {
    const data = describeBatch({ ...batch, endedAt: now }, counts)
    return JSON.stringify({ type, timestamp: timestamp(now), data } satisfies BatchEvent)
  })
  const end = { batchId, eventId: mintId('msg'), event, counts, now, expiresAt: now + keptMs }
  if (!(await endBatch(env.DB, end))) return false
  await sendEvent(env, event)
  return true
}

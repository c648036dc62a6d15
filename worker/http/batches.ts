import type { Context } from 'hono'
import { cancelBatch as cancel } from '../command/cancel-batch.ts'
import { webhookAddressFaults } from '../contract/addresses/address-faults.ts'
import {
  listBatchesQuery,
  readBatchQuery,
  sentBatch,
  type BatchPage,
  type BatchWithVideos,
} from '../contract/batches/batch.ts'
import { batchId as batchIdSchema } from '../contract/ids.ts'
import { parseInput, requireParsed } from '../contract/input/parse-input.ts'
import { batchLimits, limits } from '../contract/limits.ts'
import { takePage } from '../contract/video/page-cursor.ts'
import { personGate } from '../durable/key-gate.ts'
import { findSources } from '../service/batches/batch-sources.ts'
import { batchNotFound, describeBatches } from '../service/batches/describe-batch.ts'
import { judgeItems } from '../service/batches/judge-batch.ts'
import { listItems } from '../service/batches/list-items.ts'
import { repeatBatch, submitBatch, type BatchSubmission } from '../service/batches/submit-batch.ts'
import { fingerprint } from '../service/idempotency.ts'
import { addressPolicy } from '../service/limits/address-policy.ts'
import { readSettings } from '../settings.ts'
import type { BatchRow } from '../store/tables/tables.ts'
import { findBatch, listBatches as findBatches } from '../store/videos/batches.ts'
import type { AppEnv } from './app-env.ts'
import { countFurther } from './guard/authenticate.ts'
import { answerCounting, askGate } from './guard/count-request.ts'
import { readIdempotencyScope } from './guard/idempotency-key.ts'
import { readJson } from './read-body.ts'
import { readQuery } from './read-query.ts'

/** POST /v1/batches: creates all videos of the list, or none. */
export async function createBatch(c: Context<AppEnv>): Promise<Response> {
  const scope = readIdempotencyScope(c, 'POST /v1/batches')
  const body = await readJson(c.req.raw, undefined, batchLimits.bodyBytes)
  const now = Date.now()
  const key = scope && { ...scope, fingerprint: await fingerprint(body) }
  const repeated = key && (await repeatBatch(c.env, key, now))
  if (repeated) return answer(c, repeated)
  const found = webhookAddressFaults('webhookUrl', body, addressPolicy(readSettings(c.env)))
  const batch = requireParsed(parseInput(sentBatch, body), found)
  const { preset, webhookUrl, items } = batch
  await countItems(c, items.length)
  const { accountId } = c.get('caller')
  const requests = await judgeItems(c.env, accountId, batch)
  const sourced = await findSources(c.env, accountId, requests, now)
  return answer(
    c,
    await submitBatch(c.env, { accountId, preset, webhookUrl, items: sourced, key, now }),
  )
}

function answer(c: Context<AppEnv>, { batchId, body, replayed }: BatchSubmission): Response {
  c.header('Location', `/v1/batches/${batchId}`)
  if (replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(body, 202, { 'Content-Type': 'application/json' })
}

/** Counts the items of a batch, a few of them as one request; the first request is counted already. */
async function countItems(c: Context<AppEnv>, items: number): Promise<void> {
  const further = Math.ceil(items / batchLimits.itemsForEachRequest) - 1
  const caller = c.get('caller')
  if ('keyId' in caller) return countFurther(c, further)
  const windows = c.get('memberLimits') ?? null
  for (let counted = 0; counted < further; counted++) {
    const counting = await askGate(
      () => personGate(c.env, caller.personId, caller.accountId),
      async (gate) => gate.count('write', windows),
    )
    answerCounting(c, counting)
  }
}

/** GET /v1/batches */
export async function listBatches(c: Context<AppEnv>): Promise<Response> {
  const { cursor: after, limit = limits.listPageSizeDefault } = await readQuery(c, listBatchesQuery)
  const rows = await findBatches(c.env.DB, c.get('caller').accountId, { after, limit: limit + 1 })
  const { page, nextCursor } = takePage(rows, limit, (row) => row)
  const data = await describeBatches(c.env.DB, page)
  return c.json({ data, nextCursor } satisfies BatchPage)
}

/** GET /v1/batches/{batchId} */
export async function getBatch(c: Context<AppEnv>): Promise<Response> {
  const row = await requireBatch(c)
  const { cursor: first = 0, limit = limits.listPageSizeDefault } = await readQuery(
    c,
    readBatchQuery,
  )
  const [record] = await describeBatches(c.env.DB, [row])
  if (!record) throw batchNotFound()
  const next = first + limit
  const nextCursor = next < row.videoIds.length ? String(next) : null
  const videos = await listItems(c.env, row, { first, limit })
  return c.json({ ...record, videos, nextCursor } satisfies BatchWithVideos)
}

/** POST /v1/batches/{batchId}/cancel */
export async function cancelBatch(c: Context<AppEnv>): Promise<Response> {
  const row = await cancel(c.env, await requireBatch(c), Date.now())
  const [record] = await describeBatches(c.env.DB, [row])
  return c.json(record)
}

/** The batch in the path if it is the caller's; another account's batch is not found. */
async function requireBatch(c: Context<AppEnv>): Promise<BatchRow> {
  const id = batchIdSchema.safeParse(c.req.param('batchId')).data
  const row =
    id === undefined ? undefined : await findBatch(c.env.DB, c.get('caller').accountId, id)
  if (!row) throw batchNotFound()
  return row
}

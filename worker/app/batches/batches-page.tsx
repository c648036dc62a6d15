import type { Context } from 'hono'
import { cancelBatch } from '../../command/cancel-batch.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import { listBatchesQuery, readBatchQuery } from '../../contract/batches/batch.ts'
import { batchId } from '../../contract/ids.ts'
import { takePage } from '../../contract/video/page-cursor.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { batchNotFound, describeBatches } from '../../service/batches/describe-batch.ts'
import { listItems } from '../../service/batches/list-items.ts'
import type { BatchRow } from '../../store/tables/tables.ts'
import { findBatch, listBatches } from '../../store/videos/batches.ts'
import { CopyableId } from '../design/values.tsx'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { batchesStyle, BatchesView, BatchView, CancelForm } from './batches-view.tsx'

const batchesOnPage = 25
const around = { section: 'batches', style: batchesStyle, scripts: ['live'] } as const

/** GET /app/batches */
export async function showBatches(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = memberOf(c)
  // A mistyped address shows the first page.
  const { cursor: after } = listBatchesQuery.safeParse(c.req.query()).data ?? {}
  const rows = await listBatches(c.env.DB, accountId, { after, limit: batchesOnPage + 1 })
  const { page, nextCursor } = takePage(rows, batchesOnPage, (row) => row)
  const batches = await describeBatches(c.env.DB, page)
  const next = nextCursor === null ? undefined : `/app/batches?cursor=${nextCursor}`
  const children = (
    <BatchesView batches={batches} next={next} isFirst={after === undefined} now={Date.now()} />
  )
  return sendPage(c, { ...around, title: 'Batches', children })
}

/** GET /app/batches/{batchId} */
export async function showBatch(c: Context<AppEnv>): Promise<Response> {
  const row = await requireBatch(c)
  const { cursor: first = 0 } = readBatchQuery.safeParse(c.req.query()).data ?? {}
  const limit = limits.listPageSize
  const [batch] = await describeBatches(c.env.DB, [row])
  if (!batch) throw batchNotFound()
  const videos = await listItems(c.env, row, { first, limit })
  const children = <BatchView batch={batch} videos={videos} first={first} now={Date.now()} />
  return sendPage(c, {
    ...around,
    title: 'Batch',
    heading: batch.preset ?? 'Batch',
    back: { label: 'Batches', href: '/app/batches' },
    below: <CopyableId id={batch.batchId} />,
    actions: <CancelForm batch={batch} />,
    children,
  })
}

/** POST /app/batches/{batchId}: cancels the videos of the batch that have not ended. */
export async function postBatchCancel(c: Context<AppEnv>): Promise<Response> {
  const row = await requireBatch(c)
  try {
    await cancelBatch(c.env, row, Date.now())
  } catch (error) {
    // The batch has ended meanwhile; the page shows that.
    if (!(error instanceof AppError) || error.code !== 'Conflict') throw error
  }
  return c.redirect(`/app/batches/${row.id}`, 303)
}

async function requireBatch(c: Context<AppEnv>): Promise<BatchRow> {
  const id = batchId.safeParse(c.req.param('batchId')).data
  const { accountId } = memberOf(c)
  const row = id === undefined ? undefined : await findBatch(c.env.DB, accountId, id)
  if (!row) throw batchNotFound()
  return row
}

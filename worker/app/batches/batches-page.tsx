import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { cancelBatch } from '../../command/cancel-batch.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import { listBatchesQuery, readBatchQuery } from '../../contract/batches/batch.ts'
import { batchId } from '../../contract/ids.ts'
import { takePage } from '../../contract/video/page-cursor.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { batchNotFound, describeBatches } from '../../service/batches/describe-batch.ts'
import { listItems } from '../../service/batches/list-items.ts'
import { readSettings } from '../../settings.ts'
import type { BatchRow } from '../../store/tables/tables.ts'
import { findBatch, listBatches } from '../../store/videos/batches.ts'
import { appPage } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { batchesStyle, BatchesView, BatchView } from './batches-view.tsx'

const batchesOnPage = 25

/** GET /app/batches */
export async function showBatches(c: Context<AppEnv>): Promise<Response> {
  const member = memberOf(c)
  // An address that somebody has mistyped shows the first page.
  const { cursor: after } = listBatchesQuery.safeParse(c.req.query()).data ?? {}
  const rows = await listBatches(c.env.DB, member.accountId, { after, limit: batchesOnPage + 1 })
  const { page, nextCursor } = takePage(rows, batchesOnPage, (row) => row)
  const batches = await describeBatches(c.env.DB, page)
  const next = nextCursor === null ? undefined : `/app/batches?cursor=${nextCursor}`
  const children = (
    <BatchesView batches={batches} next={next} isFirst={after === undefined} now={Date.now()} />
  )
  return sendPage(c, await pageOf(c, 'Batches', children))
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
  return sendPage(c, await pageOf(c, 'Batch', children))
}

/** POST /app/batches/{batchId}: cancels what has not ended of it. */
export async function postBatchCancel(c: Context<AppEnv>): Promise<Response> {
  const row = await requireBatch(c)
  try {
    await cancelBatch(c.env, row, Date.now())
  } catch (error) {
    // It has ended meanwhile, which the page shows.
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

async function pageOf(c: Context<AppEnv>, title: string, children: Child) {
  return appPage({
    title,
    member: memberOf(c),
    section: 'batches',
    style: batchesStyle,
    scripts: ['live'],
    storage: readSettings(c.env).storageUrl,
    children,
  })
}

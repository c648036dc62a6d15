import { and, isNull, sql } from 'drizzle-orm'
import { among, query } from './database.ts'
import type { jobs, webhookDeliveries } from './tables/tables.ts'

type Swept = typeof jobs | typeof webhookDeliveries

/** The sweep looks after a job or a delivery that has not moved for this long. */
export const firstSweepMs = 120_000
export const longestSweepMs = 900_000

/** Makes everything due that has not ended, after a restart that may have lost queue messages. */
export async function makeAllDue(d1: D1Database, table: Swept, now: number): Promise<void> {
  await query(d1, (db) =>
    db
      .update(table)
      .set({ sweepAfter: now })
      .where(sql`${table.finishedAt} is null and ${table.sweepAfter} > ${now}`),
  )
}

/** Makes these jobs or deliveries due in 2 minutes, and in up to 15 while nothing else moves them. */
export async function postponeSweep(
  d1: D1Database,
  table: Swept,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  const { id, sweeps, finishedAt } = table
  const pauseMs = sql`min(${longestSweepMs}, ${firstSweepMs} * (1 << min(${sweeps}, 10)))`
  await query(d1, (db) =>
    db
      .update(table)
      .set({ sweepAfter: sql`${now} + ${pauseMs}`, sweeps: sql`${sweeps} + 1` })
      .where(and(among(id, ids), isNull(finishedAt))),
  )
}

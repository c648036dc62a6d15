import { and, asc, between, eq, gt, sql, type SQL } from 'drizzle-orm'
import { usageDays, usageTotals, type UsageDayRow } from './tables/account-tables.ts'
import { query } from './database.ts'
import { together, type Given } from './statement.ts'
import { accounts, videos } from './tables/tables.ts'

export type StoredUsage = {
  days: UsageDayRow[]
  /** How many bytes are kept now, and how many of them came after the last of the days. */
  keptBytes: number
  keptSince: number
  queued: number
  running: number
  mostRunning: number | null
  budget: number | null
  usedBytes: number
}

/** The bytes of an account in the bucket: those kept of its videos, and those that its uploads have announced. */
export function usedBytesOf(accountId: string | Given<string>): SQL<number> {
  return sql<number>`(coalesce((select kept_bytes from usage_totals where account_id = ${accountId}), 0)
    + coalesce((select sum(size_bytes) from uploads
        where account_id = ${accountId} and status in ('receiving', 'open', 'ready')), 0))`
}

export async function readUsedBytes(d1: D1Database, accountId: string): Promise<number> {
  const used = sql`select ${usedBytesOf(accountId)} as bytes`
  const row = await query(d1, (db) => db.get<{ bytes: number }>(used))
  return row.bytes
}

/** The days on which one account had any use, and its present state. Days are texts that sort by time. */
export async function readUsage(
  d1: D1Database,
  accountId: string,
  days: { from: string; to: string },
): Promise<StoredUsage> {
  const [used, [now]] = await findUsage(d1, accountId, days)
  const nothing = { keptBytes: 0, keptSince: 0, usedBytes: 0, queued: 0, running: 0 }
  return { days: used, ...(now ?? { ...nothing, mostRunning: null, budget: null }) }
}

const findUsage = together(
  (db, accountId: Given<string>, { from, to }: Given<{ from: string; to: string }>) => {
    const mine = eq(usageDays.accountId, accountId)
    const countOf = (status: string) =>
      sql<number>`(select count(*) from ${videos} where ${videos.accountId} = ${accountId} and ${videos.status} = ${status})`
    const total = db
      .select({ bytes: usageTotals.keptBytes })
      .from(usageTotals)
      .where(eq(usageTotals.accountId, accountId))
    const since = db
      .select({ bytes: sql`sum(${usageDays.keptBytes})` })
      .from(usageDays)
      .where(and(mine, gt(usageDays.day, to)))
    return [
      db
        .select()
        .from(usageDays)
        .where(and(mine, between(usageDays.day, from, to)))
        .orderBy(asc(usageDays.day)),
      db
        .select({
          keptBytes: sql<number>`coalesce(${total}, 0)`.as('kept'),
          keptSince: sql<number>`coalesce(${since}, 0)`.as('since'),
          queued: countOf('queued').as('queued'),
          running: countOf('running').as('running'),
          mostRunning: accounts.maxRunning,
          budget: accounts.budget,
          usedBytes: usedBytesOf(accountId).as('used'),
        })
        .from(accounts)
        .where(eq(accounts.id, accountId)),
    ]
  },
)

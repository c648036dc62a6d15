import { and, asc, between, eq, gt, sql } from 'drizzle-orm'
import { usageDays, usageTotals, type UsageDayRow } from './tables/account-tables.ts'
import { callStorage, openDatabase } from './database.ts'
import { accounts, videos } from './tables/tables.ts'

export type StoredUsage = {
  days: UsageDayRow[]
  /** What is kept now, and how much of that came after the last of the days. */
  keptBytes: number
  keptSince: number
  queued: number
  running: number
  mostRunning: number | null
}

/** The days of one account that had any use, and how things are now. Days are texts that sort by time. */
export async function readUsage(
  d1: D1Database,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<StoredUsage> {
  const db = openDatabase(d1)
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
  return callStorage(async () => {
    const [days, [now]] = await db.batch([
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
        })
        .from(accounts)
        .where(eq(accounts.id, accountId)),
    ])
    const nothing = { keptBytes: 0, keptSince: 0, queued: 0, running: 0, mostRunning: null }
    return { days, ...(now ?? nothing) }
  })
}

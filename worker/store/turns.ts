import { and, eq, lt, sql } from 'drizzle-orm'
import { callStorage, type Database, openDatabase } from './database.ts'
import { accounts, jobs } from './tables.ts'

/**
 * Takes back a turn that the version before this one has given in D1; `at` is when it was given, which identifies it. Its
 * slot is given out by the dispatcher instead.
 */
export async function returnTurn(
  d1: D1Database,
  { jobId, at }: { jobId: string; at: number },
): Promise<void> {
  await callStorage(() =>
    openDatabase(d1)
      .update(jobs)
      .set({ wokenAt: 0 })
      .where(and(eq(jobs.id, jobId), eq(jobs.wokenAt, at)))
      .run(),
  )
}

/**
 * For the batch that starts the job, before its claim is written: a claim that is already written has paid. The account's
 * place in the order of turns outlives the object that gives them.
 */
export function payForTurn(db: Database, claim: { jobId: string; fence: number }) {
  const claiming = db
    .select({ accountId: jobs.accountId })
    .from(jobs)
    .where(and(eq(jobs.id, claim.jobId), lt(jobs.fence, claim.fence)))
  return db
    .update(accounts)
    .set({
      turn: sql`max(coalesce(${accounts.turn} + 1.0 / ${accounts.weight}, 0), (select coalesce(max(a.turn), 0) from accounts a))`,
    })
    .where(sql`${accounts.id} = ${claiming}`)
}

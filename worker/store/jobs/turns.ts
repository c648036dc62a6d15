import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { accounts, jobs } from '../tables/tables.ts'

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

import { asc, eq, sql } from 'drizzle-orm'
import { callStorage, openDatabase } from '../database.ts'
import { accounts } from '../tables/tables.ts'

export type AccountRow = typeof accounts.$inferSelect

export type NewAccount = Omit<AccountRow, 'operates'>

/** The first account of the instance becomes its operator's, in the statement that inserts it. */
export async function insertAccount(d1: D1Database, account: NewAccount): Promise<void> {
  const isFirst = sql<boolean>`not exists (select 1 from accounts where operates = 1)`
  const row = { ...account, operates: isFirst }
  await callStorage(() => openDatabase(d1).insert(accounts).values(row).run())
}

type AccountPlan = Pick<
  AccountRow,
  | 'name'
  | 'rateLimits'
  | 'retainSourcesDays'
  | 'retainOutputsDays'
  | 'archiveAfterDays'
  | 'weight'
  | 'maxRunning'
  | 'budget'
>

type PlanChange = { [Part in keyof AccountPlan]?: AccountPlan[Part] | undefined }

/** A field that is undefined stays as it is. Returns undefined if there is no such account. */
export async function updateAccount(d1: D1Database, id: string, plan: PlanChange) {
  // An UPDATE has to set something; setting the id to itself changes nothing.
  const change = { id, ...plan, ...(plan.budget !== undefined && { budgetTold: null }) }
  return callStorage(() =>
    openDatabase(d1).update(accounts).set(change).where(eq(accounts.id, id)).returning().get(),
  )
}

export async function findAccount(d1: D1Database, id: string): Promise<AccountRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(accounts).where(eq(accounts.id, id)).get(),
  )
}

export async function listAccounts(d1: D1Database): Promise<AccountRow[]> {
  return callStorage(() =>
    openDatabase(d1).select().from(accounts).orderBy(asc(accounts.createdAt)).all(),
  )
}

/** Makes the current secret the previous one in one statement, so that two rotations at once lose neither result. */
export async function replaceWebhookSecret(
  d1: D1Database,
  id: string,
  change: { secret: string; previousExpiresAt: number },
): Promise<AccountRow | undefined> {
  return callStorage(() =>
    openDatabase(d1)
      .update(accounts)
      .set({
        previousWebhookSecret: sql`${accounts.webhookSecret}`,
        previousSecretExpiresAt: change.previousExpiresAt,
        webhookSecret: change.secret,
      })
      .where(eq(accounts.id, id))
      .returning()
      .get(),
  )
}

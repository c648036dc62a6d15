import { asc, eq, sql } from 'drizzle-orm'
import { query } from '../database.ts'
import { findAll, findOne, type Given } from '../statement.ts'
import { accounts } from '../tables/tables.ts'

export type AccountRow = typeof accounts.$inferSelect

export type NewAccount = Omit<AccountRow, 'operates' | 'planVersion'>

/** Stores an account. The statement makes the first one of the instance the operator's. */
export async function insertAccount(d1: D1Database, account: NewAccount): Promise<void> {
  const isFirst = sql<boolean>`not exists (select 1 from accounts where operates = 1)`
  const row = { ...account, operates: isFirst }
  await query(d1, (db) => db.insert(accounts).values(row))
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

/** A field that is undefined stays as it is. Returns undefined if the account does not exist. */
export async function updateAccount(d1: D1Database, id: string, plan: PlanChange) {
  const planVersion = sql`${accounts.planVersion} + 1`
  const change = { ...plan, planVersion, ...(plan.budget !== undefined && { budgetTold: null }) }
  const [changed] = await query(d1, (db) =>
    db.update(accounts).set(change).where(eq(accounts.id, id)).returning(),
  )
  return changed
}

export const findAccount = findOne((db, id: Given<string>) =>
  db.select().from(accounts).where(eq(accounts.id, id)),
)

export const listAccounts = findAll((db) =>
  db.select().from(accounts).orderBy(asc(accounts.createdAt)),
)

/** Makes the current secret the previous one in one statement, so that two rotations at once lose neither result. */
export const replaceWebhookSecret = findOne(
  (db, id: Given<string>, change: Given<{ secret: string; previousExpiresAt: number }>) =>
    db
      .update(accounts)
      .set({
        previousWebhookSecret: sql`${accounts.webhookSecret}`,
        previousSecretExpiresAt: change.previousExpiresAt,
        webhookSecret: change.secret,
      })
      .where(eq(accounts.id, id))
      .returning(),
)

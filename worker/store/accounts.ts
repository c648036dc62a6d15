import { and, asc, eq, sql } from 'drizzle-orm'
import { callStorage, openDatabase } from './database.ts'
import type { AccountDatabase, HomeDatabase } from './databases.ts'
import { accountPlaces } from './move-tables.ts'
import { mayChange } from './places.ts'
import { accounts } from './tables.ts'

export type AccountRow = typeof accounts.$inferSelect

/** A new account, as it is stored: in the home, and in the database where it is going to live. */
export type NewAccount = Omit<AccountRow, 'operates'>

/** The first account of the instance becomes its operator's, in the statement that inserts it. */
export async function insertAccount(d1: HomeDatabase, account: NewAccount): Promise<void> {
  const isFirst = sql<boolean>`not exists (select 1 from accounts where operates = 1)`
  const row = { ...account, operates: isFirst }
  await callStorage(() => openDatabase(d1).insert(accounts).values(row).run())
}

export type Plan = Pick<
  AccountRow,
  | 'name'
  | 'rateLimits'
  | 'retainSourcesDays'
  | 'retainOutputsDays'
  | 'archiveAfterDays'
  | 'weight'
  | 'maxRunning'
>

export type PlanChange = { [Part in keyof Plan]?: Plan[Part] | undefined }

/** A field that is undefined stays as it is. Returns undefined if there is no such account. */
export async function updateAccount(
  d1: HomeDatabase,
  id: string,
  plan: PlanChange,
): Promise<AccountRow | undefined> {
  // An UPDATE has to set something; setting the id to itself changes nothing.
  const change = { id, ...plan }
  return callStorage(() =>
    openDatabase(d1).update(accounts).set(change).where(eq(accounts.id, id)).returning().get(),
  )
}

/**
 * The row that the tables of the account refer to in the database where it lives, if that is not the home. It is written
 * before the map names that database, so that no account is ever without it.
 */
export async function prepareAccount(d1: AccountDatabase, account: NewAccount): Promise<void> {
  await callStorage(() => openDatabase(d1).insert(accounts).values(account).run())
}

/** For an account that is going to live elsewhere: its rows are refused here. */
export async function keepAway(d1: HomeDatabase, accountId: string): Promise<void> {
  const place = { accountId, state: 'gone', token: '' } as const
  await callStorage(() =>
    openDatabase(d1).insert(accountPlaces).values(place).onConflictDoNothing().run(),
  )
}

/** Which database the account lives in. */
export async function findShard(d1: HomeDatabase, id: string): Promise<number | undefined> {
  return callStorage(async () => {
    const found = openDatabase(d1).select({ shard: accounts.shard }).from(accounts)
    return (await found.where(eq(accounts.id, id)).get())?.shard
  })
}

/**
 * The part of the plan that counts where the account lives. Returns false if it does not live there, or is just moving
 * away: then nothing has changed.
 */
export async function updatePlan(
  d1: AccountDatabase,
  id: string,
  { name, weight, maxRunning, retainSourcesDays, retainOutputsDays, archiveAfterDays }: PlanChange,
): Promise<boolean> {
  const kept = { retainSourcesDays, retainOutputsDays, archiveAfterDays }
  return callStorage(async () => {
    const changed = await openDatabase(d1)
      .update(accounts)
      .set({ id, name, weight, maxRunning, ...kept })
      .where(and(eq(accounts.id, id), mayChange(accounts.id)))
      .returning({ id: accounts.id })
    return changed.length > 0
  })
}

export async function findAccount(
  d1: HomeDatabase | AccountDatabase,
  id: string,
): Promise<AccountRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(accounts).where(eq(accounts.id, id)).get(),
  )
}

export async function listAccounts(d1: HomeDatabase): Promise<AccountRow[]> {
  return callStorage(() =>
    openDatabase(d1).select().from(accounts).orderBy(asc(accounts.createdAt)).all(),
  )
}

/** Makes the current secret the previous one in one statement, so that two rotations at once lose neither result. */
export async function replaceWebhookSecret(
  d1: AccountDatabase,
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
      .where(and(eq(accounts.id, id), mayChange(accounts.id)))
      .returning()
      .get(),
  )
}

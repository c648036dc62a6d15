import { asc, desc, eq, sql } from 'drizzle-orm'
import { openDatabase, stored } from './database.ts'
import { accounts, apiKeys } from './tables.ts'

export type AccountRow = typeof accounts.$inferSelect
export type ApiKeyRow = typeof apiKeys.$inferSelect

export async function insertAccount(d1: D1Database, account: AccountRow): Promise<void> {
  await stored(() => openDatabase(d1).insert(accounts).values(account).run())
}

export type Plan = Pick<
  AccountRow,
  'name' | 'rateLimits' | 'retainSourcesDays' | 'retainOutputsDays' | 'weight' | 'maxRunning'
>

/** What is undefined stays as it is. Undefined when there is no such account. */
export async function updateAccount(
  d1: D1Database,
  id: string,
  plan: { [Part in keyof Plan]?: Plan[Part] | undefined },
): Promise<AccountRow | undefined> {
  // An UPDATE has to set something; the id it is looked up by is as good as nothing.
  const change = { id, ...plan }
  return stored(() =>
    openDatabase(d1).update(accounts).set(change).where(eq(accounts.id, id)).returning().get(),
  )
}

export async function findAccount(d1: D1Database, id: string): Promise<AccountRow | undefined> {
  return stored(() => openDatabase(d1).select().from(accounts).where(eq(accounts.id, id)).get())
}

export async function listAccounts(d1: D1Database): Promise<AccountRow[]> {
  return stored(() =>
    openDatabase(d1).select().from(accounts).orderBy(asc(accounts.createdAt)).all(),
  )
}

export async function insertApiKey(d1: D1Database, key: ApiKeyRow): Promise<void> {
  await stored(() => openDatabase(d1).insert(apiKeys).values(key).run())
}

export async function findApiKey(d1: D1Database, id: string): Promise<ApiKeyRow | undefined> {
  return stored(() => openDatabase(d1).select().from(apiKeys).where(eq(apiKeys.id, id)).get())
}

export async function listApiKeys(d1: D1Database, accountId?: string): Promise<ApiKeyRow[]> {
  return stored(() =>
    openDatabase(d1)
      .select()
      .from(apiKeys)
      .where(accountId === undefined ? undefined : eq(apiKeys.accountId, accountId))
      .orderBy(desc(apiKeys.createdAt))
      .all(),
  )
}

export async function markRevoked(d1: D1Database, id: string, at: number): Promise<void> {
  await stored(() =>
    openDatabase(d1).update(apiKeys).set({ revokedAt: at }).where(eq(apiKeys.id, id)).run(),
  )
}

/** The secret there is becomes the previous one, in one statement: two rotations at once lose neither's result. */
export async function replaceWebhookSecret(
  d1: D1Database,
  id: string,
  change: { secret: string; previousExpiresAt: number },
): Promise<AccountRow | undefined> {
  return stored(() =>
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

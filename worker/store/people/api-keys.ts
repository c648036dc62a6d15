import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { callStorage, openDatabase } from '../database.ts'
import { selectRow } from '../insert-row.ts'
import { apiKeys } from '../tables/tables.ts'

export type ApiKeyRow = typeof apiKeys.$inferSelect

/** Returns false if the account already has this many valid keys; the statement that counts them also inserts. */
export async function insertApiKey(d1: D1Database, key: ApiKeyRow, most: number): Promise<boolean> {
  const good = sql`(select count(*) from ${apiKeys} where ${apiKeys.accountId} = ${key.accountId}
    and ${apiKeys.revokedAt} is null
    and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${key.createdAt}))`
  const inserted = await callStorage(() =>
    openDatabase(d1)
      .insert(apiKeys)
      .select(sql`${selectRow(apiKeys, key)} where ${good} < ${most}`)
      .returning({ id: apiKeys.id })
      .all(),
  )
  return inserted.length > 0
}

export async function findApiKey(d1: D1Database, id: string): Promise<ApiKeyRow | undefined> {
  return callStorage(() => openDatabase(d1).select().from(apiKeys).where(eq(apiKeys.id, id)).get())
}

export async function listApiKeys(d1: D1Database, accountId?: string): Promise<ApiKeyRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(apiKeys)
      .where(accountId === undefined ? undefined : eq(apiKeys.accountId, accountId))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .all(),
  )
}

/** The hashes of some keys that an account has or has had. */
export async function listKeyHashes(d1: D1Database, accountId: string, most: number) {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .select({ hash: apiKeys.hash })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .limit(most)
      .all(),
  )
  return rows.map(({ hash }) => hash)
}

export async function listAccountKeys(
  d1: D1Database,
  accountId: string,
  page: { after?: PageEnd | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  const { createdAt, id } = apiKeys
  const after = page.after && {
    older: lt(createdAt, page.after.createdAt),
    beside: and(eq(createdAt, page.after.createdAt), lt(id, page.after.id)),
  }
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), after && or(after.older, after.beside)))
      .orderBy(desc(createdAt), desc(id))
      .limit(page.limit)
      .all(),
  )
}

/** Keys that were used since, the one that was used last first. */
export async function listUsedKeys(
  d1: D1Database,
  accountId: string,
  since: number,
  limit: number,
): Promise<ApiKeyRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), gt(apiKeys.lastUsedAt, since)))
      .orderBy(desc(apiKeys.lastUsedAt))
      .limit(limit)
      .all(),
  )
}

export async function nameApiKey(
  d1: D1Database,
  key: { id: string; accountId: string },
  name: string | null,
): Promise<ApiKeyRow | undefined> {
  return callStorage(() =>
    openDatabase(d1)
      .update(apiKeys)
      .set({ name })
      .where(and(eq(apiKeys.id, key.id), eq(apiKeys.accountId, key.accountId)))
      .returning()
      .get(),
  )
}

export async function markRevoked(d1: D1Database, id: string, at: number): Promise<void> {
  await callStorage(() =>
    openDatabase(d1)
      .update(apiKeys)
      .set({ revokedAt: at })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
      .run(),
  )
}

/** Uses of one key may arrive out of order; the latest one stays. */
export async function markUsed(d1: D1Database, id: string, at: number): Promise<void> {
  await callStorage(() =>
    openDatabase(d1)
      .update(apiKeys)
      .set({ lastUsedAt: at })
      .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at))))
      .run(),
  )
}

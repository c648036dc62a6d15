import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { olderThan, query } from '../database.ts'
import { change, findAll, findOne, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { apiKeys } from '../tables/tables.ts'

export type ApiKeyRow = typeof apiKeys.$inferSelect

/** Returns false if the account already has this many valid keys; the statement that counts them also inserts. */
export async function insertApiKey(d1: D1Database, key: ApiKeyRow, most: number): Promise<boolean> {
  const good = sql`(select count(*) from ${apiKeys} where ${apiKeys.accountId} = ${key.accountId}
    and ${apiKeys.revokedAt} is null
    and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${key.createdAt}))`
  const inserted = await query(d1, (db) =>
    db
      .insert(apiKeys)
      .select(sql`${selectRow(apiKeys, key)} where ${good} < ${most}`)
      .returning({ id: apiKeys.id }),
  )
  return inserted.length > 0
}

export const findApiKey = findOne((db, id: Given<string>) =>
  db.select().from(apiKeys).where(eq(apiKeys.id, id)),
)

export async function listApiKeys(d1: D1Database, accountId?: string): Promise<ApiKeyRow[]> {
  return query(d1, (db) =>
    db
      .select()
      .from(apiKeys)
      .where(accountId === undefined ? undefined : eq(apiKeys.accountId, accountId))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
  )
}

/** The hashes of some of the keys that the account has or has had. */
export const listKeyHashes = findAll(
  (db, accountId: Given<string>, most: Given<number>) =>
    db
      .select({ hash: apiKeys.hash })
      .from(apiKeys)
      .where(eq(apiKeys.accountId, accountId))
      .limit(most),
  ({ hash }) => hash,
)

export async function listAccountKeys(
  d1: D1Database,
  accountId: string,
  page: { after?: PageEnd | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  return query(d1, (db) =>
    db
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), olderThan(apiKeys, page.after)))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .limit(page.limit),
  )
}

/** Keys that were used since this time, the last used first. */
export const listUsedKeys = findAll(
  (db, accountId: Given<string>, since: Given<number>, limit: Given<number>) =>
    db
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), gt(apiKeys.lastUsedAt, since)))
      .orderBy(desc(apiKeys.lastUsedAt))
      .limit(limit),
)

export const nameApiKey = findOne(
  (db, key: Given<{ id: string; accountId: string }>, name: Given<string | null>) =>
    db
      .update(apiKeys)
      .set({ name })
      .where(and(eq(apiKeys.id, key.id), eq(apiKeys.accountId, key.accountId)))
      .returning(),
)

export const markRevoked = change((db, id: Given<string>, at: Given<number>) =>
  db
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt))),
)

/** Uses of one key may arrive out of order; the latest one stays. */
export const markUsed = change((db, id: Given<string>, at: Given<number>) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at)))),
)

import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { among, callStorage, openDatabase } from './database.ts'
import { selectRow } from './insert-row.ts'
import { storages, type StorageRow } from './tables/account-tables.ts'

function named(accountId: string, name: string) {
  return and(eq(storages.accountId, accountId), eq(storages.name, name))
}

export async function findStorage(
  d1: D1Database,
  accountId: string,
  name: string,
): Promise<StorageRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(storages).where(named(accountId, name)).get(),
  )
}

/** Those of these names that the account has. */
export async function findStorages(
  d1: D1Database,
  accountId: string,
  names: readonly string[],
): Promise<StorageRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(storages)
      .where(and(eq(storages.accountId, accountId), among(storages.name, names)))
      .all(),
  )
}

export async function listStorages(d1: D1Database, accountId: string): Promise<StorageRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(storages)
      .where(eq(storages.accountId, accountId))
      .orderBy(asc(storages.name))
      .all(),
  )
}

/**
 * Creates the storage or replaces it. Returns undefined if the account has `most` others already; the statement that
 * counts them also writes.
 */
export async function saveStorage(
  d1: D1Database,
  storage: StorageRow,
  most: number,
): Promise<StorageRow | undefined> {
  const db = openDatabase(d1)
  const { accountId, name, endpoint, region, bucket, prefix, addressing } = storage
  const { accessKeyId, sealedSecret, updatedAt } = storage
  const place = { endpoint, region, bucket, prefix, addressing }
  const others = db
    .select({ n: sql`count(*)` })
    .from(storages)
    .where(and(eq(storages.accountId, accountId), ne(storages.name, name)))
  return callStorage(() =>
    db
      .insert(storages)
      .select(sql`${selectRow(storages, storage)} where ${others} < ${most}`)
      .onConflictDoUpdate({
        target: [storages.accountId, storages.name],
        set: { ...place, accessKeyId, sealedSecret, updatedAt },
      })
      .returning()
      .get(),
  )
}

/** Returns false if there was none. */
export async function deleteStorage(
  d1: D1Database,
  accountId: string,
  name: string,
): Promise<boolean> {
  const deleted = await callStorage(() =>
    openDatabase(d1)
      .delete(storages)
      .where(named(accountId, name))
      .returning({ one: sql`1` })
      .all(),
  )
  return deleted.length > 0
}

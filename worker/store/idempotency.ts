import { and, eq, lte, sql } from 'drizzle-orm'
import { openDatabase, stored, type Database } from './database.ts'
import { idempotencyKeys } from './tables.ts'

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect
export type NewIdempotencyRow = typeof idempotencyKeys.$inferInsert

/** One API key's use of one Idempotency-Key at one endpoint. */
export type IdempotencyScope = { keyId: string; endpoint: string; idempotencyKey: string }

function matches(scope: IdempotencyScope) {
  return and(
    eq(idempotencyKeys.keyId, scope.keyId),
    eq(idempotencyKeys.endpoint, scope.endpoint),
    eq(idempotencyKeys.idempotencyKey, scope.idempotencyKey),
  )
}

/**
 * Statements that take the key within a batch: whatever else the batch writes is written once, because a key that is
 * taken fails the whole of it. An expired one makes room first.
 */
export function takeKey(db: Database, row: NewIdempotencyRow) {
  return [
    db
      .delete(idempotencyKeys)
      .where(and(matches(row), lte(idempotencyKeys.expiresAt, row.createdAt))),
    db.insert(idempotencyKeys).values(row),
  ] as const
}

export async function findKeyUse(
  d1: D1Database,
  scope: IdempotencyScope,
): Promise<IdempotencyRow | undefined> {
  return stored(() => openDatabase(d1).select().from(idempotencyKeys).where(matches(scope)).get())
}

/** The sweep's share: keys whose day is over, a bounded number at a time. */
export async function forgetExpiredKeys(d1: D1Database, now: number, limit: number): Promise<void> {
  await stored(() =>
    openDatabase(d1).run(
      sql`delete from idempotency_keys where rowid in
          (select rowid from idempotency_keys where expires_at <= ${now} limit ${limit})`,
    ),
  )
}

import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { query } from './database.ts'
import { change, findOne, part, type Given } from './statement.ts'
import { idempotencyKeys } from './tables/tables.ts'

export type IdempotencyRow = typeof idempotencyKeys.$inferSelect
export type NewIdempotencyRow = typeof idempotencyKeys.$inferInsert

/** One API key's use of one Idempotency-Key at one endpoint. */
export type IdempotencyScope = { keyId: string; endpoint: string; idempotencyKey: string }

function matches(scope: IdempotencyScope | Given<IdempotencyScope>) {
  return and(
    eq(idempotencyKeys.keyId, scope.keyId),
    eq(idempotencyKeys.endpoint, scope.endpoint),
    eq(idempotencyKeys.idempotencyKey, scope.idempotencyKey),
  )
}

/**
 * Matches rows that no longer hold the key, because they have expired or their request died before it had an answer.
 */
function isFree(now: number | Given<number>) {
  const abandoned = and(
    isNull(idempotencyKeys.responseStatus),
    lte(idempotencyKeys.leaseUntil, now),
  )
  return or(lte(idempotencyKeys.expiresAt, now), abandoned)
}

/** Whether a row is the claim with this token, which stands in place of the fingerprint that is not known yet. */
function isClaim(token: string | Given<string>) {
  return and(eq(idempotencyKeys.fingerprint, token), isNull(idempotencyKeys.responseStatus))
}

/**
 * Statements that take the key within a batch. If the key is taken, the whole batch fails, so everything else in the
 * batch is written only once. A row that no longer holds the key is deleted first, and so is this request's own claim.
 */
export function takeKey(
  d1: D1Database,
  row: NewIdempotencyRow,
  token?: string,
): D1PreparedStatement[] {
  return [makeRoom(d1, row, { token }), insertKeyRow(d1, row)]
}

const makeRoom = part(
  (db, row: Given<NewIdempotencyRow>, { token }: Given<{ token: string | undefined }>) =>
    db
      .delete(idempotencyKeys)
      .where(and(matches(row), or(isFree(row.createdAt), token && isClaim(token)))),
)

const insertKeyRow = part((db, row: Given<NewIdempotencyRow>) =>
  db.insert(idempotencyKeys).values(row),
)

/** Takes the key before there is an answer; false if another request has it. */
export async function insertClaim(d1: D1Database, row: NewIdempotencyRow): Promise<boolean> {
  const [, inserted] = await query(d1, (db) =>
    db.batch([
      db.delete(idempotencyKeys).where(and(matches(row), isFree(row.createdAt))),
      db.insert(idempotencyKeys).values(row).onConflictDoNothing().returning(),
    ]),
  )
  return inserted.length > 0
}

export const prolongClaim = change(
  (db, scope: Given<IdempotencyScope>, token: Given<string>, leaseUntil: Given<number>) =>
    db
      .update(idempotencyKeys)
      .set({ leaseUntil })
      .where(and(matches(scope), isClaim(token))),
)

export const deleteClaim = change((db, scope: Given<IdempotencyScope>, token: Given<string>) =>
  db.delete(idempotencyKeys).where(and(matches(scope), isClaim(token))),
)

export const findKeyUse = findOne((db, scope: Given<IdempotencyScope>) =>
  db.select().from(idempotencyKeys).where(matches(scope)),
)

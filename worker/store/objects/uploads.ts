import { and, asc, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { among, query } from '../database.ts'
import { change, findAll, findOne, forSome, whether, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { usedBytesOf } from '../usage.ts'
import { uploads, type UploadRefusal, type UploadRow, type UploadStatus } from '../tables/tables.ts'

export type NewUpload = typeof uploads.$inferInsert

/**
 * Returns false if the account would then have more than `mostBytes`. The statement that counts also inserts, so that
 * several uploads at once are not promised the same room.
 */
export async function insertUpload(
  d1: D1Database,
  upload: NewUpload,
  mostBytes: number | undefined,
): Promise<boolean> {
  if (mostBytes === undefined) {
    await query(d1, (db) => db.insert(uploads).values(upload))
    return true
  }
  const fits = sql`${usedBytesOf(upload.accountId)} + ${upload.sizeBytes ?? 0} <= ${mostBytes}`
  const row = sql`${selectRow(uploads, upload)} where ${fits}`
  const inserted = await query(d1, (db) =>
    db.insert(uploads).select(row).returning({ id: uploads.id }),
  )
  return inserted.length > 0
}

/** Notes how large a file of unknown size has become. Returns false if the account has no room for it. */
export const noteUploadBytes = whether(
  (
    db,
    { id, accountId }: Given<Pick<UploadRow, 'id' | 'accountId'>>,
    sizeBytes: Given<number>,
    mostBytes: Given<number>,
  ) =>
    db
      .update(uploads)
      .set({ sizeBytes })
      .where(and(eq(uploads.id, id), sql`${usedBytesOf(accountId)} + ${sizeBytes} <= ${mostBytes}`))
      .returning({ id: uploads.id }),
)

/** An upload of another account, or one that has expired, is not found. */
export const findUpload = findOne(
  (db, accountId: Given<string>, uploadId: Given<string>, now: Given<number>) =>
    db
      .select()
      .from(uploads)
      .where(
        and(eq(uploads.id, uploadId), eq(uploads.accountId, accountId), gt(uploads.expiresAt, now)),
      ),
)

/** Those of these uploads that belong to the account and have not expired. */
export const findUploads = findAll(
  (db, accountId: Given<string>, ids: Given<readonly string[]>, now: Given<number>) =>
    db
      .select()
      .from(uploads)
      .where(
        and(among(uploads.id, ids), eq(uploads.accountId, accountId), gt(uploads.expiresAt, now)),
      ),
)

/** Keeps uploads that are ready at least until then. */
export const keepUploads = change(
  (db, accountId: Given<string>, ids: Given<readonly string[]>, until: Given<number>) => {
    const isReady = and(eq(uploads.accountId, accountId), eq(uploads.status, 'ready'))
    return db
      .update(uploads)
      .set({ expiresAt: until })
      .where(and(among(uploads.id, ids), isReady, lte(uploads.expiresAt, until)))
  },
)

/** Returns false if a video has taken it meanwhile, or it was forgotten already. */
export const forgetUpload = whether((db, upload: Given<{ id: string; from: UploadStatus }>) =>
  db
    .delete(uploads)
    .where(and(eq(uploads.id, upload.id), eq(uploads.status, upload.from)))
    .returning({ id: uploads.id }),
)

/** open → ready or refused, once. Changes nothing if it is no longer open. */
export async function concludeUpload(
  d1: D1Database,
  uploadId: string,
  to:
    | { status: 'ready'; expiresAt: number; contentType: string }
    | { status: 'refused'; refusal: UploadRefusal },
): Promise<void> {
  await query(d1, (db) =>
    db
      .update(uploads)
      .set(to)
      .where(and(eq(uploads.id, uploadId), eq(uploads.status, 'open'))),
  )
}

/** Hides the upload from all but the sweep. Returns false if a video has taken it, or if it has changed meanwhile. */
export const dropUpload = whether(
  (db, upload: Given<{ id: string; from: UploadStatus }>, now: Given<number>) =>
    db
      .update(uploads)
      .set({ status: 'dropped', expiresAt: now })
      .where(and(eq(uploads.id, upload.id), eq(uploads.status, upload.from)))
      .returning({ id: uploads.id }),
)

/** Drops the expired uploads that no video has taken, and returns them. */
export const dropExpired = forSome(
  findAll((db, ids: Given<readonly string[]>, now: Given<number>) =>
    db
      .update(uploads)
      .set({ status: 'dropped' })
      .where(and(among(uploads.id, ids), ne(uploads.status, 'used'), lte(uploads.expiresAt, now)))
      .returning(),
  ),
)

/** Deletes rows that are no longer needed: of sources that videos have taken, and of uploads whose objects were removed. */
export const forgetUploads = forSome(
  change((db, ids: Given<readonly string[]>) =>
    db
      .delete(uploads)
      .where(and(among(uploads.id, ids), inArray(uploads.status, ['used', 'dropped']))),
  ),
)

/** Uploads that have expired, the longest due first. */
export const listExpiredUploads = findAll((db, now: Given<number>, limit: Given<number>) =>
  db
    .select()
    .from(uploads)
    .where(lte(uploads.expiresAt, now))
    .orderBy(asc(uploads.expiresAt))
    .limit(limit),
)

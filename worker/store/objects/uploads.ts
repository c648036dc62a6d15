import { and, asc, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { among, callStorage, openDatabase, prepared } from '../database.ts'
import { selectRow } from '../insert-row.ts'
import { usedBytesOf } from '../usage.ts'
import { uploads, type UploadRefusal, type UploadRow, type UploadStatus } from '../tables/tables.ts'

export type NewUpload = typeof uploads.$inferInsert

/**
 * Returns false if the account would have more than `mostBytes` with it. The statement that counts also inserts, so that
 * uploads at once are not each promised the same room.
 */
export async function insertUpload(
  d1: D1Database,
  upload: NewUpload,
  mostBytes: number | undefined,
): Promise<boolean> {
  const into = openDatabase(d1).insert(uploads)
  if (mostBytes === undefined) {
    await callStorage(() => into.values(upload).run())
    return true
  }
  const fits = sql`${usedBytesOf(upload.accountId)} + ${upload.sizeBytes ?? 0} <= ${mostBytes}`
  const inserted = into.select(sql`${selectRow(uploads, upload)} where ${fits}`)
  return callStorage(async () => {
    const rows = await inserted.returning({ id: uploads.id }).all()
    return rows.length > 0
  })
}

/** Notes how large a file has become that nobody announced. Returns false if the account has no room for it. */
export async function noteUploadBytes(
  d1: D1Database,
  { id, accountId }: Pick<UploadRow, 'id' | 'accountId'>,
  sizeBytes: number,
  mostBytes: number,
): Promise<boolean> {
  const fits = sql`${usedBytesOf(accountId)} + ${sizeBytes} <= ${mostBytes}`
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .update(uploads)
      .set({ sizeBytes })
      .where(and(eq(uploads.id, id), fits))
      .returning({ id: uploads.id })
    return rows.length > 0
  })
}

/** An upload of another account, or one that has expired, is not found. */
export async function findUpload(d1: D1Database, accountId: string, uploadId: string, now: number) {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(uploads)
      .where(
        and(eq(uploads.id, uploadId), eq(uploads.accountId, accountId), gt(uploads.expiresAt, now)),
      )
      .get(),
  )
}

/** Those of these uploads that the account has, and that have not expired. */
export async function findUploads(
  d1: D1Database,
  accountId: string,
  ids: readonly string[],
  now: number,
): Promise<UploadRow[]> {
  const isTheirs = and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, now))
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(uploads)
      .where(and(among(uploads.id, ids), isTheirs))
      .all(),
  )
}

/** Keeps uploads that are ready at least until then. */
export async function keepUploads(
  d1: D1Database,
  accountId: string,
  ids: readonly string[],
  until: number,
): Promise<void> {
  const isReady = and(eq(uploads.accountId, accountId), eq(uploads.status, 'ready'))
  await callStorage(() =>
    openDatabase(d1)
      .update(uploads)
      .set({ expiresAt: until })
      .where(and(among(uploads.id, ids), isReady, lte(uploads.expiresAt, until)))
      .run(),
  )
}

/** Gives an upload to a video, within the batch that stores the video. A second video that tries changes nothing. */
export function giveUpload(
  d1: D1Database,
  upload: { id: string; from: UploadStatus },
  video: { id: string; accountId: string },
): D1PreparedStatement {
  const mine = and(
    eq(uploads.id, upload.id),
    eq(uploads.accountId, video.accountId),
    eq(uploads.status, upload.from),
  )
  const give = openDatabase(d1).update(uploads).set({ status: 'used', videoId: video.id })
  return prepared(d1, give.where(mine))
}

/** Returns false if a video has taken it meanwhile, or it was forgotten already. */
export async function forgetUpload(d1: D1Database, upload: { id: string; from: UploadStatus }) {
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .delete(uploads)
      .where(and(eq(uploads.id, upload.id), eq(uploads.status, upload.from)))
      .returning({ id: uploads.id })
    return rows.length > 0
  })
}

/** open → ready or refused, once. Returns false if it is no longer open. */
export async function concludeUpload(
  d1: D1Database,
  uploadId: string,
  to:
    | { status: 'ready'; expiresAt: number; contentType: string }
    | { status: 'refused'; refusal: UploadRefusal },
): Promise<boolean> {
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .update(uploads)
      .set(to)
      .where(and(eq(uploads.id, uploadId), eq(uploads.status, 'open')))
      .returning({ id: uploads.id })
    return rows.length > 0
  })
}

/** Hides the upload from everybody but the sweep. Returns false if a video has it or it has changed meanwhile. */
export async function dropUpload(
  d1: D1Database,
  upload: { id: string; from: UploadStatus },
  now: number,
): Promise<boolean> {
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .update(uploads)
      .set({ status: 'dropped', expiresAt: now })
      .where(and(eq(uploads.id, upload.id), eq(uploads.status, upload.from)))
      .returning({ id: uploads.id })
    return rows.length > 0
  })
}

/** Drops the expired ones that no video has, and returns them. */
export async function dropExpired(d1: D1Database, ids: readonly string[], now: number) {
  if (ids.length === 0) return []
  const isNobodys = and(ne(uploads.status, 'used'), lte(uploads.expiresAt, now))
  return callStorage(() =>
    openDatabase(d1)
      .update(uploads)
      .set({ status: 'dropped' })
      .where(and(among(uploads.id, ids), isNobodys))
      .returning()
      .all(),
  )
}

/** Deletes rows that are no longer needed: of sources that a video has, and of uploads whose objects were removed. */
export async function forgetUploads(d1: D1Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const isOver = inArray(uploads.status, ['used', 'dropped'])
  await callStorage(() =>
    openDatabase(d1)
      .delete(uploads)
      .where(and(among(uploads.id, ids), isOver))
      .run(),
  )
}

/** Uploads that have expired, the longest due first. */
export async function listExpiredUploads(d1: D1Database, now: number, limit: number) {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(uploads)
      .where(lte(uploads.expiresAt, now))
      .orderBy(asc(uploads.expiresAt))
      .limit(limit)
      .all(),
  )
}

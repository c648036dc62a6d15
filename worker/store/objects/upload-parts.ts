import { and, asc, desc, eq, lt, ne, sql } from 'drizzle-orm'
import { findAll, findOne, together, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { uploadParts, uploads } from '../tables/tables.ts'

export type StoredPart = Pick<
  typeof uploadParts.$inferSelect,
  'partNumber' | 'etag' | 'sizeBytes' | 'storedAt'
>

const databaseClock = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** Finds an upload by its id alone, for addresses that carry their own permission, and reads the database's clock. */
export const findUploadOfPart = findOne((db, uploadId: Given<string>) =>
  db
    .select({ upload: uploads, clock: databaseClock })
    .from(uploads)
    .where(eq(uploads.id, uploadId)),
)

/**
 * Records a part that R2 has stored, in place of the one that was recorded before it began. One that was recorded since
 * then stays, because only R2 knows which of the two came last. Returns false if the upload takes no more parts.
 */
export const recordPart = together(
  (db, { uploadId, partNumber, etag, sizeBytes, begunAt }: Given<NewPart>) => [
    db
      .insert(uploadParts)
      .select(
        sql`${selectRow(uploadParts, {
          uploadId: uploads.id,
          partNumber,
          etag,
          sizeBytes,
          storedAt: databaseClock,
        })} from ${uploads} where ${uploads.id} = ${uploadId} and ${uploads.status} = 'open'`,
      )
      .onConflictDoUpdate({
        target: [uploadParts.uploadId, uploadParts.partNumber, uploadParts.etag],
        set: { storedAt: databaseClock },
      })
      .returning({ partNumber: uploadParts.partNumber }),
    db
      .delete(uploadParts)
      .where(
        and(
          eq(uploadParts.uploadId, uploadId),
          eq(uploadParts.partNumber, partNumber),
          ne(uploadParts.etag, etag),
          lt(uploadParts.storedAt, begunAt),
        ),
      ),
  ],
  ([recorded]) => recorded.length > 0,
)

type NewPart = Omit<StoredPart, 'storedAt'> & { uploadId: string; begunAt: number }

/** Sorted by number; of several parts with one number, the latest comes first. */
export const listParts = findAll((db, uploadId: Given<string>) =>
  db
    .select({
      partNumber: uploadParts.partNumber,
      etag: uploadParts.etag,
      sizeBytes: uploadParts.sizeBytes,
      storedAt: uploadParts.storedAt,
    })
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, uploadId))
    .orderBy(asc(uploadParts.partNumber), desc(uploadParts.storedAt)),
)

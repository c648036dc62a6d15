import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { longestAddressMs } from './address-signer.ts'
import { openDatabase, stored } from './database.ts'
import { tombstones, videos } from './tables.ts'

export type Tombstone = typeof tombstones.$inferSelect

/** Prefixes of deleted videos that are to be emptied now, the longest due first. */
export async function listDueTombstones(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<Tombstone[]> {
  return stored(() =>
    openDatabase(d1)
      .select()
      .from(tombstones)
      .where(lte(tombstones.listAfter, now))
      .orderBy(asc(tombstones.listAfter))
      .limit(limit)
      .all(),
  )
}

/** The prefix has just been emptied: looked at once more when the last address for it has expired, then forgotten. */
export async function settleTombstone(
  d1: D1Database,
  stone: Pick<Tombstone, 'prefix' | 'createdAt'>,
  now: number,
): Promise<void> {
  const db = openDatabase(d1)
  const ofPrefix = eq(tombstones.prefix, stone.prefix)
  const listAfter = stone.createdAt + longestAddressMs
  await stored(() =>
    listAfter <= now
      ? db.delete(tombstones).where(ofPrefix).run()
      : db.update(tombstones).set({ listAfter }).where(ofPrefix).run(),
  )
}

/** Videos whose files have outlived their time and were not removed yet, the longest due first. */
export async function listExpiredFiles(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<string[]> {
  return stored(async () => {
    const rows = await openDatabase(d1)
      .select({ id: videos.id })
      .from(videos)
      .where(
        and(
          isNull(videos.filesDeletedAt),
          isNotNull(videos.filesExpireAt),
          lte(videos.filesExpireAt, now),
        ),
      )
      .orderBy(asc(videos.filesExpireAt))
      .limit(limit)
      .all()
    return rows.map(({ id }) => id)
  })
}

/** Videos whose sources have outlived their time and were not removed yet, the longest due first. */
export async function listExpiredSources(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<{ videoId: string; uploadId: string }[]> {
  return stored(async () => {
    const rows = await openDatabase(d1)
      .select({ videoId: videos.id, source: videos.source })
      .from(videos)
      .where(
        and(
          isNull(videos.sourceDeletedAt),
          isNotNull(videos.sourceExpiresAt),
          lte(videos.sourceExpiresAt, now),
        ),
      )
      .orderBy(asc(videos.sourceExpiresAt))
      .limit(limit)
      .all()
    return rows.flatMap(({ videoId, source }) =>
      source ? [{ videoId, uploadId: source.uploadId }] : [],
    )
  })
}

export async function markSourceDeleted(
  d1: D1Database,
  videoId: string,
  now: number,
): Promise<void> {
  await stored(() =>
    openDatabase(d1)
      .update(videos)
      .set({ sourceDeletedAt: now })
      .where(and(eq(videos.id, videoId), isNull(videos.sourceDeletedAt)))
      .run(),
  )
}

export async function markFilesDeleted(
  d1: D1Database,
  videoId: string,
  now: number,
): Promise<void> {
  await stored(() =>
    openDatabase(d1)
      .update(videos)
      .set({ filesDeletedAt: now })
      .where(and(eq(videos.id, videoId), isNull(videos.filesDeletedAt)))
      .run(),
  )
}

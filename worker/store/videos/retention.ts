import { and, asc, eq, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { longestAddressMs } from '../objects/address-signer.ts'
import { among, callStorage, openDatabase } from '../database.ts'
import { selectRow } from '../insert-row.ts'
import { tombstones, videos } from '../tables/tables.ts'

type Tombstone = typeof tombstones.$inferSelect

/** Prefixes of deleted videos that are due to be emptied, the longest due first. */
export async function listDueTombstones(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<Tombstone[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(tombstones)
      .where(lte(tombstones.listAfter, now))
      .orderBy(asc(tombstones.listAfter))
      .limit(limit)
      .all(),
  )
}

/**
 * Call this when the prefixes were just emptied. They are emptied once more when the last address for them has expired,
 * and then forgotten.
 */
export async function closeTombstones(
  d1: D1Database,
  prefixes: readonly string[],
  now: number,
): Promise<void> {
  if (prefixes.length === 0) return
  const db = openDatabase(d1)
  const ofThese = among(tombstones.prefix, prefixes)
  const isLast = lte(tombstones.createdAt, now - longestAddressMs)
  const listAfter = sql`${tombstones.createdAt} + ${longestAddressMs}`
  await callStorage(() =>
    db.batch([
      db.delete(tombstones).where(and(ofThese, isLast)),
      db.update(tombstones).set({ listAfter }).where(ofThese),
    ]),
  )
}

/** Those of these prefixes whose videos were deleted. */
export async function findBuried(
  d1: D1Database,
  prefixes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (prefixes.length === 0) return new Set()
  const { prefix } = tombstones
  const rows = await callStorage(() =>
    openDatabase(d1).select({ prefix }).from(tombstones).where(among(prefix, prefixes)).all(),
  )
  return new Set(rows.map((row) => row.prefix))
}

/** Videos whose files have expired and are not removed yet, the longest due first. */
export async function listExpiredFiles(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<string[]> {
  return callStorage(async () => {
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

/** Whether another video than that of the row has the same upload as its source, now and after `now`. */
const isShared = (now: number) => sql<boolean>`exists (
  select 1 from videos as other
  where other.source ->> 'uploadId' = videos.source ->> 'uploadId' and other.id <> videos.id
    and other.source_deleted_at is null and other.source is not null
    and (other.source_expires_at is null or other.source_expires_at > ${now}))`

/**
 * Takes the source from a video that is being deleted. Returns whether its object goes with it, because no other video has
 * it; a tombstone then remembers that.
 */
export async function releaseSource(
  d1: D1Database,
  { videoId, prefix }: { videoId: string; prefix: string },
  now: number,
): Promise<boolean> {
  const db = openDatabase(d1)
  const has = and(eq(videos.id, videoId), isNull(videos.sourceDeletedAt))
  const alone = db
    .select({ one: sql`1` })
    .from(videos)
    .where(and(has, not(isShared(0))))
  const tombstone = selectRow(tombstones, { prefix, createdAt: now, listAfter: now })
  return callStorage(async () => {
    const [buried] = await db.batch([
      db
        .insert(tombstones)
        .select(sql`${tombstone} where exists ${alone}`)
        .onConflictDoNothing()
        .returning({ prefix: tombstones.prefix }),
      db.update(videos).set({ sourceDeletedAt: now }).where(has),
    ])
    return buried.length > 0
  })
}

/** Videos whose sources have expired and are not removed yet, the longest due first, and whether others keep the object. */
export async function listExpiredSources(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<{ videoId: string; uploadId: string; isShared: boolean }[]> {
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .select({ videoId: videos.id, source: videos.source, isShared: isShared(now) })
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
    return rows.flatMap(({ videoId, source, isShared: shared }) =>
      source ? [{ videoId, uploadId: source.uploadId, isShared: Boolean(shared) }] : [],
    )
  })
}

export async function markSourcesDeleted(
  d1: D1Database,
  videoIds: readonly string[],
  now: number,
): Promise<void> {
  await markDeleted(d1, 'sourceDeletedAt', videoIds, now)
}

export async function markFilesDeleted(
  d1: D1Database,
  videoIds: readonly string[],
  now: number,
): Promise<void> {
  await markDeleted(d1, 'filesDeletedAt', videoIds, now)
}

async function markDeleted(
  d1: D1Database,
  column: 'sourceDeletedAt' | 'filesDeletedAt',
  videoIds: readonly string[],
  now: number,
): Promise<void> {
  if (videoIds.length === 0) return
  await callStorage(() =>
    openDatabase(d1)
      .update(videos)
      .set({ [column]: now })
      .where(and(among(videos.id, videoIds), isNull(videos[column])))
      .run(),
  )
}

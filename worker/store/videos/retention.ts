import {
  and,
  asc,
  eq,
  exists,
  isNotNull,
  isNull,
  lte,
  not,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import { longestAddressMs } from '../objects/address-signer.ts'
import { among, callStorage, openDatabase } from '../database.ts'
import { selectRow } from '../insert-row.ts'
import { tombstones, videos } from '../tables/tables.ts'

/** Prefixes of deleted videos that are due to be emptied, the longest due first. */
export async function listDueTombstones(d1: D1Database, now: number, limit: number) {
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
export async function closeTombstones(d1: D1Database, prefixes: readonly string[], now: number) {
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
export async function findBuried(d1: D1Database, prefixes: readonly string[]) {
  if (prefixes.length === 0) return new Set()
  const { prefix } = tombstones
  const rows = await callStorage(() =>
    openDatabase(d1).select({ prefix }).from(tombstones).where(among(prefix, prefixes)).all(),
  )
  return new Set(rows.map((row) => row.prefix))
}

/** Under the name of which video the files of a result lie. */
const filesOf = sql<string>`coalesce(videos.files_of, videos.id)`

/** Whether another video has the files that lie under the name of `owner`, now and after `now`. */
const hasOthers = (
  { videoId, owner }: { videoId: SQLWrapper | string; owner: SQLWrapper | string },
  now: number,
) => sql<number>`exists (
  select 1 from videos as other
  where (other.id = ${owner} or other.files_of = ${owner}) and other.id <> ${videoId}
    and other.files_deleted_at is null and (other.files_expire_at is null or other.files_expire_at > ${now}))`

/** Videos whose files have expired and are not removed yet, the longest due first, and whether others keep the files. */
export async function listExpiredFiles(d1: D1Database, now: number, limit: number) {
  return callStorage(async () => {
    const isKept = hasOthers({ videoId: sql`videos.id`, owner: filesOf }, now)
    const rows = await openDatabase(d1)
      .select({ videoId: videos.id, owner: filesOf, isShared: isKept })
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
    return rows.map((row) => ({ ...row, isShared: Boolean(row.isShared) }))
  })
}

/**
 * Takes its files from a video that is being deleted. Returns whether they go with it, because no other video has them; a
 * tombstone then remembers that. From then on no other video gets them either.
 */
export async function releaseFiles(
  d1: D1Database,
  { videoId, owner, prefix }: { videoId: string; owner: string; prefix: string },
  now: number,
): Promise<boolean> {
  const db = openDatabase(d1)
  const isKept = hasOthers({ videoId, owner }, 0)
  const tombstone = selectRow(tombstones, { prefix, createdAt: now, listAfter: now })
  return callStorage(async () => {
    const [, , buried] = await db.batch([
      db
        .update(videos)
        .set({ filesDeletedAt: now })
        .where(and(eq(videos.id, videoId), isNull(videos.filesDeletedAt))),
      db
        .insert(tombstones)
        .select(sql`${tombstone} where not ${isKept}`)
        .onConflictDoNothing(),
      db
        .select({ prefix: tombstones.prefix })
        .from(tombstones)
        .where(and(eq(tombstones.prefix, prefix), not(isKept))),
    ])
    return buried.length > 0
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
  const isAlone = not(isShared(0))
  const ifOne = (condition: SQL | undefined) =>
    db
      .select({ one: sql`1` })
      .from(videos)
      .where(condition)
  const tombstone = selectRow(tombstones, { prefix, createdAt: now, listAfter: now })
  return callStorage(async () => {
    const [, , buried] = await db.batch([
      db
        .insert(tombstones)
        .select(sql`${tombstone} where exists ${ifOne(and(has, isAlone))}`)
        .onConflictDoNothing(),
      db.update(videos).set({ sourceDeletedAt: now }).where(has),
      // Another request that deletes the same video at this moment may have buried it, and not removed anything yet.
      db
        .select({ prefix: tombstones.prefix })
        .from(tombstones)
        .where(
          and(eq(tombstones.prefix, prefix), exists(ifOne(and(eq(videos.id, videoId), isAlone)))),
        ),
    ])
    return buried.length > 0
  })
}

/** Videos whose sources have expired and are not removed yet, the longest due first, and whether others keep the object. */
export async function listExpiredSources(d1: D1Database, now: number, limit: number) {
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

export async function markSourcesDeleted(d1: D1Database, videoIds: readonly string[], now: number) {
  await markDeleted(d1, 'sourceDeletedAt', videoIds, now)
}

export async function markFilesDeleted(d1: D1Database, videoIds: readonly string[], now: number) {
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

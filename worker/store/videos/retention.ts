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
import { among } from '../database.ts'
import { change, findAll, forSome, plus, together, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { tombstones, videos } from '../tables/tables.ts'

/** Prefixes of deleted videos that are due to be emptied, the longest due first. */
export const listDueTombstones = findAll((db, now: Given<number>, limit: Given<number>) =>
  db
    .select()
    .from(tombstones)
    .where(lte(tombstones.listAfter, now))
    .orderBy(asc(tombstones.listAfter))
    .limit(limit),
)

/**
 * Call this when the prefixes were just emptied. They are emptied once more after the last address for them has expired,
 * and then forgotten.
 */
export const closeTombstones = forSome(
  together((db, prefixes: Given<readonly string[]>, now: Given<number>) => {
    const ofThese = among(tombstones.prefix, prefixes)
    const isLast = lte(tombstones.createdAt, plus(now, -longestAddressMs))
    const listAfter = sql`${tombstones.createdAt} + ${longestAddressMs}`
    return [
      db.delete(tombstones).where(and(ofThese, isLast)),
      db.update(tombstones).set({ listAfter }).where(ofThese),
    ]
  }),
)

/** Leaves a tombstone, due at once, for what is about to be removed: a call that is still on its way may write it once more. */
export const bury = change((db, prefix: Given<string>, now: Given<number>) =>
  db.insert(tombstones).values({ prefix, createdAt: now, listAfter: now }).onConflictDoNothing(),
)

/** Those of these prefixes whose videos were deleted. */
export const listBuried = forSome(
  findAll(
    (db, prefixes: Given<readonly string[]>) =>
      db
        .select({ prefix: tombstones.prefix })
        .from(tombstones)
        .where(among(tombstones.prefix, prefixes)),
    ({ prefix }) => prefix,
  ),
)

/** The id of the video under whose name the files of a result lie. */
const filesOf = sql<string>`coalesce(videos.files_of, videos.id)`

/** Whether another video uses the files that lie under the name of `owner`, now and after `now`. */
const hasOthers = (
  { videoId, owner }: { videoId: SQLWrapper; owner: SQLWrapper },
  now: Given<number> | number,
) => sql<number>`exists (
  select 1 from videos as other
  where (other.id = ${owner} or other.files_of = ${owner}) and other.id <> ${videoId}
    and other.files_deleted_at is null and (other.files_expire_at is null or other.files_expire_at > ${now}))`

/** Videos whose files have expired and are not removed yet, the longest due first, and whether others keep the files. */
export const listExpiredFiles = findAll((db, now: Given<number>, limit: Given<number>) => {
  const isShared = hasOthers({ videoId: sql`videos.id`, owner: filesOf }, now).mapWith(Boolean)
  return db
    .select({ videoId: videos.id, owner: filesOf, isShared })
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
})

/**
 * Takes its files from a video that is being deleted. Returns whether the files are deleted with it, because no other
 * video uses them. A tombstone then notes that, and from then on no other video is given them.
 */
export const releaseFiles = together(
  (
    db,
    { videoId, owner, prefix }: Given<{ videoId: string; owner: string; prefix: string }>,
    now: Given<number>,
  ) => {
    const isKept = hasOthers({ videoId, owner }, 0)
    const tombstone = selectRow(tombstones, { prefix, createdAt: now, listAfter: now })
    return [
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
    ]
  },
  ([, , buried]) => buried.length > 0,
)

/** Whether another video than that of the row has the same upload as its source, now and after `now`. */
const isShared = (now: Given<number> | number) =>
  sql`exists (
  select 1 from videos as other
  where other.source ->> 'uploadId' = videos.source ->> 'uploadId' and other.id <> videos.id
    and other.source_deleted_at is null and other.source is not null
    and (other.source_expires_at is null or other.source_expires_at > ${now}))`.mapWith(Boolean)

/**
 * Takes the source from a video that is being deleted. Returns whether its object is deleted with it, because no other
 * video uses it. A tombstone then notes that.
 */
export const releaseSource = together(
  (db, { videoId, prefix }: Given<{ videoId: string; prefix: string }>, now: Given<number>) => {
    const has = and(eq(videos.id, videoId), isNull(videos.sourceDeletedAt))
    const isAlone = not(isShared(0))
    const ifOne = (condition: SQL | undefined) =>
      db
        .select({ one: sql`1` })
        .from(videos)
        .where(condition)
    const tombstone = selectRow(tombstones, { prefix, createdAt: now, listAfter: now })
    return [
      db
        .insert(tombstones)
        .select(sql`${tombstone} where exists ${ifOne(and(has, isAlone))}`)
        .onConflictDoNothing(),
      db.update(videos).set({ sourceDeletedAt: now }).where(has),
      // Another request that deletes the same video now may have left the tombstone, and not removed anything yet.
      db
        .select({ prefix: tombstones.prefix })
        .from(tombstones)
        .where(
          and(eq(tombstones.prefix, prefix), exists(ifOne(and(eq(videos.id, videoId), isAlone)))),
        ),
    ]
  },
  ([, , buried]) => buried.length > 0,
)

/** Videos whose sources have expired and are not removed yet, the longest due first, and whether others keep the object. */
export async function listExpiredSources(d1: D1Database, now: number, limit: number) {
  const rows = await findExpiredSources(d1, now, limit)
  return rows.flatMap(({ source, ...row }) =>
    source ? [{ ...row, uploadId: source.uploadId }] : [],
  )
}

const findExpiredSources = findAll((db, now: Given<number>, limit: Given<number>) =>
  db
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
    .limit(limit),
)

const markDeleted = (column: 'sourceDeletedAt' | 'filesDeletedAt') =>
  forSome(
    change((db, videoIds: Given<readonly string[]>, now: Given<number>) =>
      db
        .update(videos)
        .set({ [column]: now })
        .where(and(among(videos.id, videoIds), isNull(videos[column]))),
    ),
  )

export const markSourcesDeleted = markDeleted('sourceDeletedAt')
export const markFilesDeleted = markDeleted('filesDeletedAt')

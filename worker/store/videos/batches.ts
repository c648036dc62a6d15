import { and, asc, desc, eq, exists, inArray, isNull, lte, notExists, sql } from 'drizzle-orm'
import type { BatchCounts } from '../../contract/batches/batch.ts'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import { among, changeWith, olderThan, openDatabase, query, type Database } from '../database.ts'
import { change, findAll, findOne, forSome, plus, whether, type Given } from '../statement.ts'
import { enabledEndpointsOf } from '../jobs/jobs.ts'
import { accounts, batches, jobs, videos, type BatchRow } from '../tables/tables.ts'
import { tell, type ToldEvent } from '../webhooks/tell.ts'

const unfinished = ['queued', 'running'] as const

/** How long a batch may be open without the sweep looking at it. */
export const batchSweepMs = 60_000

export const findBatch = findOne((db, accountId: Given<string>, batchId: Given<string>) =>
  db
    .select()
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.accountId, accountId))),
)

/** Newest first, strictly after `after`. */
export async function listBatches(
  d1: D1Database,
  accountId: string,
  { after, limit }: { after?: PageEnd | undefined; limit: number },
): Promise<BatchRow[]> {
  return query(d1, (db) =>
    db
      .select()
      .from(batches)
      .where(and(eq(batches.accountId, accountId), olderThan(batches, after)))
      .orderBy(desc(batches.createdAt), desc(batches.id))
      .limit(limit),
  )
}

const countByStatus = findAll((db, batchIds: Given<readonly string[]>) =>
  db
    .select({ batchId: videos.batchId, status: videos.status, n: sql<number>`count(*)` })
    .from(videos)
    .where(and(among(videos.batchId, batchIds), sql`${videos.batchId} is not null`))
    .groupBy(videos.batchId, videos.status),
)

/** How many videos of these batches are in which state; deleted ones have no row. */
export async function countInBatches(d1: D1Database, batchIds: readonly string[]) {
  const counted = new Map<string, Map<VideoStatus, number>>()
  for (const { batchId, status, n } of await countByStatus(d1, batchIds)) {
    const known = counted.get(batchId ?? '') ?? new Map<VideoStatus, number>()
    counted.set(batchId ?? '', known.set(status, n))
  }
  return counted
}

function selectUnfinished(db: Database, batchId: string | Given<string>) {
  return db
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.batchId, batchId), inArray(videos.status, unfinished)))
    .limit(1)
}

/** Whether any video of the batch has not ended. */
export const hasUnfinished = whether((db, batchId: Given<string>) => selectUnfinished(db, batchId))

/** Some of its jobs that have not ended. */
export const listUnfinishedJobs = findAll(
  (db, batchId: Given<string>, limit: Given<number>) =>
    db
      .select({ id: jobs.id })
      .from(videos)
      .innerJoin(jobs, eq(jobs.videoId, videos.id))
      .where(and(eq(videos.batchId, batchId), inArray(videos.status, unfinished)))
      .limit(limit),
  ({ id }) => id,
)

/** A batch that has not ended, and the endpoints that are told when it does. */
export const findOpenBatch = findOne((db, batchId: Given<string>) =>
  db
    .select({ batch: batches, endpoints: enabledEndpointsOf(accounts.id) })
    .from(batches)
    .innerJoin(accounts, eq(accounts.id, batches.accountId))
    .where(and(eq(batches.id, batchId), isNull(batches.endedAt))),
)

type BatchEnd = {
  batchId: string
  eventId: string
  event: ToldEvent | undefined
  counts: BatchCounts
  now: number
  expiresAt: number
}

/**
 * The one change that ends a batch. Its first statement writes the event id only if every video has ended and the batch
 * has not; all others require that id. So the event is written exactly once, with the end.
 */
export async function endBatch(d1: D1Database, end: BatchEnd): Promise<boolean> {
  const { batchId, eventId, event, counts, now, expiresAt } = end
  const db = openDatabase(d1)
  const ended = exists(
    db
      .select({ one: sql`1` })
      .from(batches)
      .where(and(eq(batches.id, batchId), eq(batches.endedEventId, eventId))),
  )
  return changeWith(d1, [
    db
      .update(batches)
      .set({ endedAt: now, endedEventId: eventId, counts, expiresAt })
      .where(
        and(
          eq(batches.id, batchId),
          isNull(batches.endedAt),
          notExists(selectUnfinished(db, batchId)),
        ),
      )
      .returning({ id: batches.id }),
    ...(event ? tell(db, event, { eventId, videoId: '', now, ended }) : []),
  ])
}

/** Notes that the batch is to be canceled; false if it has ended. */
export const markCanceled = whether((db, batchId: Given<string>, now: Given<number>) =>
  db
    .update(batches)
    .set({ canceledAt: sql`coalesce(${batches.canceledAt}, ${now})` })
    .where(and(eq(batches.id, batchId), isNull(batches.endedAt)))
    .returning({ id: batches.id }),
)

/** Open batches that the sweep has not seen for a while. */
export const listDueBatches = findAll((db, now: Given<number>, limit: Given<number>) =>
  db
    .select({ id: batches.id, canceledAt: batches.canceledAt })
    .from(batches)
    .where(and(sql`${batches.endedAt} is null`, lte(batches.sweepAfter, now)))
    .orderBy(asc(batches.sweepAfter))
    .limit(limit),
)

export const postponeBatches = forSome(
  change((db, ids: Given<readonly string[]>, now: Given<number>) =>
    db
      .update(batches)
      .set({ sweepAfter: plus(now, batchSweepMs) })
      .where(and(among(batches.id, ids), isNull(batches.endedAt))),
  ),
)

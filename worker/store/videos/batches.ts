import { and, asc, desc, eq, exists, inArray, isNull, lte, notExists, sql } from 'drizzle-orm'
import type { BatchCounts } from '../../contract/batches/batch.ts'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import { among, callStorage, openDatabase, prepared } from '../database.ts'
import { enabledEndpointsOf } from '../jobs/jobs.ts'
import { accounts, batches, jobs, videos, type BatchRow } from '../tables/tables.ts'
import { tell, type ToldEvent } from '../webhooks/tell.ts'

const unfinished = ['queued', 'running'] as const

/** How long a batch may be open without the sweep looking at it. */
export const batchSweepMs = 60_000

export async function findBatch(d1: D1Database, accountId: string, batchId: string) {
  const mine = and(eq(batches.id, batchId), eq(batches.accountId, accountId))
  return callStorage(() => openDatabase(d1).select().from(batches).where(mine).get())
}

/** Newest first, strictly after `after`. */
export async function listBatches(
  d1: D1Database,
  accountId: string,
  { after, limit }: { after?: PageEnd | undefined; limit: number },
): Promise<BatchRow[]> {
  const older =
    after && sql`(${batches.createdAt}, ${batches.id}) < (${after.createdAt}, ${after.id})`
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(batches)
      .where(and(eq(batches.accountId, accountId), older))
      .orderBy(desc(batches.createdAt), desc(batches.id))
      .limit(limit)
      .all(),
  )
}

/** How many videos of these batches are in which state; deleted ones have no row. */
export async function countVideos(d1: D1Database, batchIds: readonly string[]) {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .select({ batchId: videos.batchId, status: videos.status, n: sql<number>`count(*)` })
      .from(videos)
      .where(and(among(videos.batchId, batchIds), sql`${videos.batchId} is not null`))
      .groupBy(videos.batchId, videos.status)
      .all(),
  )
  const counted = new Map<string, Map<VideoStatus, number>>()
  for (const { batchId, status, n } of rows) {
    const known = counted.get(batchId ?? '') ?? new Map<VideoStatus, number>()
    counted.set(batchId ?? '', known.set(status, n))
  }
  return counted
}

function hasUnfinished(d1: D1Database, batchId: string) {
  return openDatabase(d1)
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.batchId, batchId), inArray(videos.status, unfinished)))
    .limit(1)
}

/** Whether nothing of the batch is left to be done. */
export async function isThrough(d1: D1Database, batchId: string): Promise<boolean> {
  return callStorage(async () => (await hasUnfinished(d1, batchId).get()) === undefined)
}

/** Some of its jobs that have not ended. */
export async function listUnfinishedJobs(d1: D1Database, batchId: string, limit: number) {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .select({ id: jobs.id })
      .from(videos)
      .innerJoin(jobs, eq(jobs.videoId, videos.id))
      .where(and(eq(videos.batchId, batchId), inArray(videos.status, unfinished)))
      .limit(limit)
      .all(),
  )
  return rows.map(({ id }) => id)
}

/** A batch that has not ended, and who is told when it does. */
export async function findOpenBatch(d1: D1Database, batchId: string) {
  return callStorage(() =>
    openDatabase(d1)
      .select({ batch: batches, endpoints: enabledEndpointsOf(accounts.id) })
      .from(batches)
      .innerJoin(accounts, eq(accounts.id, batches.accountId))
      .where(and(eq(batches.id, batchId), isNull(batches.endedAt)))
      .get(),
  )
}

type BatchEnd = {
  batchId: string
  eventId: string
  event: ToldEvent | undefined
  counts: BatchCounts
  now: number
  expiresAt: number
}

/**
 * The one change that ends a batch. Its first statement writes the event id only if nothing is left to be done and nobody has
 * ended it before; all others require that id. So the event is written exactly once, with the end.
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
  const statements = [
    db
      .update(batches)
      .set({ endedAt: now, endedEventId: eventId, counts, expiresAt })
      .where(
        and(
          eq(batches.id, batchId),
          isNull(batches.endedAt),
          notExists(hasUnfinished(d1, batchId)),
        ),
      )
      .returning({ id: batches.id }),
    ...(event ? tell(db, event, { eventId, videoId: '', now, ended }) : []),
  ].map((statement) => prepared(d1, statement))
  return callStorage(async () => {
    const [changed] = await d1.batch<{ id: string }>(statements)
    return (changed?.results.length ?? 0) > 0
  })
}

/** Notes the wish once; false if the batch has ended. */
export async function markCanceled(d1: D1Database, batchId: string, now: number): Promise<boolean> {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .update(batches)
      .set({ canceledAt: sql`coalesce(${batches.canceledAt}, ${now})` })
      .where(and(eq(batches.id, batchId), isNull(batches.endedAt)))
      .returning({ id: batches.id })
      .all(),
  )
  return rows.length > 0
}

/** Open batches that the sweep has not seen for a while. */
export async function listDueBatches(d1: D1Database, now: number, limit: number) {
  return callStorage(() =>
    openDatabase(d1)
      .select({ id: batches.id, canceledAt: batches.canceledAt })
      .from(batches)
      .where(and(sql`${batches.endedAt} is null`, lte(batches.sweepAfter, now)))
      .orderBy(asc(batches.sweepAfter))
      .limit(limit)
      .all(),
  )
}

export async function postponeBatches(d1: D1Database, ids: readonly string[], now: number) {
  if (ids.length === 0) return
  await callStorage(() =>
    openDatabase(d1)
      .update(batches)
      .set({ sweepAfter: now + batchSweepMs })
      .where(and(among(batches.id, ids), isNull(batches.endedAt)))
      .run(),
  )
}

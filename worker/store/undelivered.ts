import { and, asc, eq, exists, lte, sql } from 'drizzle-orm'
import { among, callStorage, openDatabase, prepared } from './database.ts'
import { undelivered, videos, type UndeliveredRow, type VideoResult } from './tables/tables.ts'
import { tell, type ToldEvent } from './webhooks/tell.ts'

/** Undefined once all deliveries of the video have ended, or the video was deleted. */
export async function findUndelivered(
  d1: D1Database,
  videoId: string,
): Promise<UndeliveredRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(undelivered).where(eq(undelivered.videoId, videoId)).get(),
  )
}

export async function listDueUndelivered(
  d1: D1Database,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .select({ videoId: undelivered.videoId })
      .from(undelivered)
      .where(lte(undelivered.sweepAfter, now))
      .orderBy(asc(undelivered.sweepAfter))
      .limit(limit)
      .all(),
  )
  return rows.map(({ videoId }) => videoId)
}

export async function postponeUndelivered(
  d1: D1Database,
  videoIds: readonly string[],
  sweepAfter: number,
): Promise<void> {
  if (videoIds.length === 0) return
  await callStorage(() =>
    openDatabase(d1)
      .update(undelivered)
      .set({ sweepAfter })
      .where(among(undelivered.videoId, videoIds))
      .run(),
  )
}

function stillUndelivered(d1: D1Database, videoId: string) {
  return exists(
    openDatabase(d1)
      .select({ one: sql`1` })
      .from(undelivered)
      .where(eq(undelivered.videoId, videoId)),
  )
}

function saveResult(d1: D1Database, videoId: string, result: VideoResult, now: number) {
  return openDatabase(d1)
    .update(videos)
    .set({ result, updatedAt: now })
    .where(and(eq(videos.id, videoId), stillUndelivered(d1, videoId)))
}

/** Nothing but its deliveries changes the result of a video that has ended. */
export async function saveDeliveries(
  d1: D1Database,
  videoId: string,
  result: VideoResult,
  now: number,
): Promise<void> {
  await callStorage(() => saveResult(d1, videoId, result, now).run())
}

type Ended = {
  videoId: string
  result: VideoResult
  eventId: string
  event: ToldEvent | undefined
  now: number
}

/** The one change with which the deliveries of a video end. Made twice, the second one changes nothing and tells nobody. */
export async function endDeliveries(
  d1: D1Database,
  { videoId, result, eventId, event, now }: Ended,
): Promise<boolean> {
  const db = openDatabase(d1)
  const ended = stillUndelivered(d1, videoId)
  const statements = [
    saveResult(d1, videoId, result, now).returning({ id: videos.id }),
    ...(event ? tell(db, event, { eventId, videoId, now, ended }) : []),
    db.delete(undelivered).where(eq(undelivered.videoId, videoId)),
  ].map((statement) => prepared(d1, statement))
  return callStorage(async () => {
    const [saved] = await d1.batch<{ id: string }>(statements)
    return (saved?.results.length ?? 0) > 0
  })
}

import { and, asc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { among, callStorage, openDatabase, prepared } from './database.ts'
import { undelivered, videos, type VideoResult } from './tables/tables.ts'
import { tell, type ToldEvent } from './webhooks/tell.ts'

/** Undefined once all deliveries of the video have ended, or the video was deleted. */
export async function findUndelivered(d1: D1Database, videoId: string) {
  return callStorage(() =>
    openDatabase(d1).select().from(undelivered).where(eq(undelivered.videoId, videoId)).get(),
  )
}

export async function listDueUndelivered(d1: D1Database, now: number, limit: number) {
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

/**
 * Whether the video is still being delivered, and this result takes back no end of a delivery. The statement that ends one may
 * arrive after its courier has died, when the next one has read the row already.
 */
function mayBecome(videoId: string, result: VideoResult): SQL {
  const states = JSON.stringify((result.deliveries ?? []).map(({ state }) => state))
  return sql`exists (select 1 from undelivered as u join videos as v on v.id = u.video_id
    where u.video_id = ${videoId} and not exists (
      select 1 from json_each(v.result, '$.deliveries') as d join json_each(${states}) as s on s.key = d.key
      where d.value ->> 'state' not in ('pending', s.value)))`
}

function saveResult(d1: D1Database, videoId: string, result: VideoResult, now: number) {
  return openDatabase(d1)
    .update(videos)
    .set({ result, updatedAt: now })
    .where(and(eq(videos.id, videoId), mayBecome(videoId, result)))
    .returning({ id: videos.id })
}

/** Nothing but its deliveries changes the result of a video that has ended. Returns false if the row has moved on. */
export async function saveDeliveries(
  d1: D1Database,
  videoId: string,
  result: VideoResult,
  now: number,
): Promise<boolean> {
  return callStorage(async () => (await saveResult(d1, videoId, result, now)).length > 0)
}

type Ended = {
  videoId: string
  result: VideoResult
  eventId: string
  event: ToldEvent | undefined
  now: number
}

/**
 * The one change with which the deliveries of a video end. Made twice, the second one changes nothing and tells nobody; nor
 * does one that takes back the end of a delivery.
 */
export async function endDeliveries(
  d1: D1Database,
  { videoId, result, eventId, event, now }: Ended,
): Promise<boolean> {
  const db = openDatabase(d1)
  const ended = mayBecome(videoId, result)
  const statements = [
    saveResult(d1, videoId, result, now),
    ...(event ? tell(db, event, { eventId, videoId, now, ended }) : []),
    db.delete(undelivered).where(and(eq(undelivered.videoId, videoId), ended)),
  ].map((statement) => prepared(d1, statement))
  return callStorage(async () => {
    const [saved] = await d1.batch<{ id: string }>(statements)
    return (saved?.results.length ?? 0) > 0
  })
}

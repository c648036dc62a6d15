import { and, asc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { changeWith, among, openDatabase, query, type Database } from './database.ts'
import { change, findAll, findOne, forSome, type Given } from './statement.ts'
import { undelivered, videos, type VideoResult } from './tables/tables.ts'
import { tell, type ToldEvent } from './webhooks/tell.ts'

/** Undefined once all deliveries of the video have ended, or the video was deleted. */
export const findUndelivered = findOne((db, videoId: Given<string>) =>
  db.select().from(undelivered).where(eq(undelivered.videoId, videoId)),
)

export const listDueUndelivered = findAll(
  (db, now: Given<number>, limit: Given<number>) =>
    db
      .select({ videoId: undelivered.videoId })
      .from(undelivered)
      .where(lte(undelivered.sweepAfter, now))
      .orderBy(asc(undelivered.sweepAfter))
      .limit(limit),
  ({ videoId }) => videoId,
)

export const postponeUndelivered = forSome(
  change((db, videoIds: Given<readonly string[]>, sweepAfter: Given<number>) =>
    db.update(undelivered).set({ sweepAfter }).where(among(undelivered.videoId, videoIds)),
  ),
)

/**
 * Whether the video is still being delivered, and this result does not undo the end of a delivery. A courier may have died
 * after sending the statement that ends one, which can then arrive after the next courier has read the row.
 */
function mayBecome(videoId: string, result: VideoResult): SQL {
  const states = JSON.stringify((result.deliveries ?? []).map(({ state }) => state))
  return sql`exists (select 1 from undelivered as u join videos as v on v.id = u.video_id
    where u.video_id = ${videoId} and not exists (
      select 1 from json_each(v.result, '$.deliveries') as d join json_each(${states}) as s on s.key = d.key
      where d.value ->> 'state' not in ('pending', s.value)))`
}

function saveResult(db: Database, videoId: string, result: VideoResult, now: number) {
  return db
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
  const saved = await query(d1, (db) => saveResult(db, videoId, result, now))
  return saved.length > 0
}

type Ended = {
  videoId: string
  result: VideoResult
  eventId: string
  event: ToldEvent | undefined
  now: number
}

/**
 * The one change with which the deliveries of a video end. A second call changes nothing and announces nothing, and
 * neither does one that would undo the end of a delivery.
 */
export async function endDeliveries(
  d1: D1Database,
  { videoId, result, eventId, event, now }: Ended,
): Promise<boolean> {
  const db = openDatabase(d1)
  const ended = mayBecome(videoId, result)
  return changeWith(d1, [
    saveResult(db, videoId, result, now),
    ...(event ? tell(db, event, { eventId, videoId, now, ended }) : []),
    db.delete(undelivered).where(and(eq(undelivered.videoId, videoId), ended)),
  ])
}

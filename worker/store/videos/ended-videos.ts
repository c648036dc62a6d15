import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { callStorage, openDatabase } from '../database.ts'
import { jobs, shownVideo, videos, webhookEvents, type ShownVideo } from '../tables/tables.ts'

/** `body`: what the webhooks of the video sent; null if it had none. */
export type EndedVideo = { video: ShownVideo; body: string | null }

/** Videos of the account in the order in which they ended, strictly after a place in that order. */
export async function listEnded(
  d1: D1Database,
  accountId: string,
  { after, limit }: { after: number; limit: number },
): Promise<EndedVideo[]> {
  const { endedOrder } = getTableColumns(videos)
  // Says that there is an order, so that SQLite takes the index, which has only those.
  const ended = and(
    eq(videos.accountId, accountId),
    sql`${endedOrder} is not null`,
    sql`${endedOrder} > ${after}`,
  )
  return callStorage(() =>
    openDatabase(d1)
      .select({ video: shownVideo, body: webhookEvents.body })
      .from(videos)
      .innerJoin(jobs, eq(jobs.videoId, videos.id))
      .leftJoin(webhookEvents, eq(webhookEvents.id, videos.terminalEventId))
      .where(ended)
      .orderBy(endedOrder)
      .limit(limit)
      .all(),
  )
}

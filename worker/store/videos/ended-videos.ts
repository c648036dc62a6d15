import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { findAll, type Given } from '../statement.ts'
import { jobs, shownVideo, videos, webhookEvents, type ShownVideo } from '../tables/tables.ts'

/** `body`: what the webhooks of the video sent; null if it had none. */
export type EndedVideo = { video: ShownVideo; body: string | null }

/** Videos of the account in the order in which they ended, strictly after a place in that order. */
export const listEnded = findAll(
  (db, accountId: Given<string>, { after, limit }: Given<{ after: number; limit: number }>) => {
    const { endedOrder } = getTableColumns(videos)
    // States that there is an order, so that SQLite uses the index, which contains only such rows.
    const isAfter = and(sql`${endedOrder} is not null`, sql`${endedOrder} > ${after}`)
    return db
      .select({ video: shownVideo, body: webhookEvents.body })
      .from(videos)
      .innerJoin(jobs, eq(jobs.videoId, videos.id))
      .leftJoin(webhookEvents, eq(webhookEvents.id, videos.terminalEventId))
      .where(and(eq(videos.accountId, accountId), isAfter))
      .orderBy(endedOrder)
      .limit(limit)
  },
)

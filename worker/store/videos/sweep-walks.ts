import { eq, or, sql } from 'drizzle-orm'
import { among } from '../database.ts'
import { change, findAll, findOne, forSome, type Given } from '../statement.ts'
import { sweepWalks, videos, type VideoRow } from '../tables/tables.ts'

type SweepWalk = typeof sweepWalks.$inferSelect

export const findWalk = findOne((db, name: Given<string>) =>
  db.select().from(sweepWalks).where(eq(sweepWalks.name, name)),
)

export const saveWalk = change((db, { name, cursor, startedAt }: Given<SweepWalk>) =>
  db
    .insert(sweepWalks)
    .values({ name, cursor, startedAt })
    .onConflictDoUpdate({ target: sweepWalks.name, set: { cursor, startedAt } }),
)

export type ReferringVideo = Pick<VideoRow, 'id' | 'status'> & { written: string }

/**
 * The videos that have files under the names of these videos: the name, and a text that contains the key of every file
 * they refer to.
 */
export const listReferring = forSome(
  findAll((db, videoIds: Given<readonly string[]>) =>
    db
      .select({
        id: sql<string>`coalesce(${videos.filesOf}, ${videos.id})`,
        status: videos.status,
        written: sql<string>`coalesce(${videos.result}, '') || coalesce(${videos.transcript}, '') || coalesce(${videos.analysis}, '')`,
      })
      .from(videos)
      .where(or(among(videos.id, videoIds), among(videos.filesOf, videoIds))),
  ),
)

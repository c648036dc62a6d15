import { eq, or, sql } from 'drizzle-orm'
import { among, callStorage, openDatabase } from '../database.ts'
import { sweepWalks, videos, type VideoRow } from '../tables/tables.ts'

type SweepWalk = typeof sweepWalks.$inferSelect

export async function findWalk(d1: D1Database, name: string): Promise<SweepWalk | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(sweepWalks).where(eq(sweepWalks.name, name)).get(),
  )
}

export async function saveWalk(d1: D1Database, walk: SweepWalk): Promise<void> {
  const { cursor, startedAt } = walk
  await callStorage(() =>
    openDatabase(d1)
      .insert(sweepWalks)
      .values(walk)
      .onConflictDoUpdate({ target: sweepWalks.name, set: { cursor, startedAt } })
      .run(),
  )
}

export type Referring = Pick<VideoRow, 'id' | 'status'> & { written: string }

/**
 * The videos that have files under the names of these videos, each by the name that the files have, with a text that contains
 * the key of every file they refer to.
 */
export async function listReferring(d1: D1Database, videoIds: readonly string[]) {
  if (videoIds.length === 0) return []
  const { result, transcript, analysis } = videos
  return callStorage(() =>
    openDatabase(d1)
      .select({
        id: sql<string>`coalesce(${videos.filesOf}, ${videos.id})`,
        status: videos.status,
        written: sql<string>`coalesce(${result}, '') || coalesce(${transcript}, '') || coalesce(${analysis}, '')`,
      })
      .from(videos)
      .where(or(among(videos.id, videoIds), among(videos.filesOf, videoIds)))
      .all(),
  )
}

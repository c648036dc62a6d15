import { eq, inArray, sql } from 'drizzle-orm'
import { openDatabase, stored } from './database.ts'
import { sweepWalks, videos, type VideoRow } from './tables.ts'

export type SweepWalk = typeof sweepWalks.$inferSelect

export async function findWalk(d1: D1Database, name: string): Promise<SweepWalk | undefined> {
  return stored(() =>
    openDatabase(d1).select().from(sweepWalks).where(eq(sweepWalks.name, name)).get(),
  )
}

export async function saveWalk(d1: D1Database, walk: SweepWalk): Promise<void> {
  const { cursor, startedAt } = walk
  await stored(() =>
    openDatabase(d1)
      .insert(sweepWalks)
      .values(walk)
      .onConflictDoUpdate({ target: sweepWalks.name, set: { cursor, startedAt } })
      .run(),
  )
}

export type Referring = Pick<VideoRow, 'id' | 'status'> & { written: string }

/** At most 100 values can be bound to a statement. */
const idsAtOnce = 90

/** What the rows of these videos say, as text in which the key of every file they refer to occurs. */
export async function listReferring(
  d1: D1Database,
  videoIds: readonly string[],
): Promise<Referring[]> {
  const rows: Referring[] = []
  for (let first = 0; first < videoIds.length; first += idsAtOnce) {
    const ids = videoIds.slice(first, first + idsAtOnce)
    rows.push(...(await stored(async () => selectReferring(d1, ids))))
  }
  return rows
}

async function selectReferring(d1: D1Database, ids: readonly string[]): Promise<Referring[]> {
  const { result, transcript, analysis } = videos
  return openDatabase(d1)
    .select({
      id: videos.id,
      status: videos.status,
      written: sql<string>`coalesce(${result}, '') || coalesce(${transcript}, '') || coalesce(${analysis}, '')`,
    })
    .from(videos)
    .where(inArray(videos.id, [...ids]))
    .all()
}

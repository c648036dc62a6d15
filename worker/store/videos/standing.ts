import { and, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import { findOne, plus, type Given } from '../statement.ts'
import { videos, type VideoRow } from '../tables/tables.ts'

/** A video whose result may be given to another one. */
export type StandingVideo = Pick<
  VideoRow,
  'id' | 'filesOf' | 'transcript' | 'transcriptStatus' | 'analysis' | 'analysisStatus'
> & { result: NonNullable<VideoRow['result']> }

/** Files that expire within this time may be removed at any moment. */
const leastLeftMs = 60_000

type WantedWork = { accountId: string; work: string; engine?: string | undefined }

/** The latest result of the same work in the account, made by any engine if none is named. */
export async function findStanding(d1: D1Database, work: WantedWork, now: number) {
  const row = await findLatest(d1, work, now)
  return row?.result ? { ...row, result: row.result } : undefined
}

const findLatest = findOne(
  (db, { accountId, work, engine }: Given<WantedWork>, now: Given<number>) =>
    db
      .select()
      .from(videos)
      .where(
        and(
          eq(videos.accountId, accountId),
          eq(videos.work, work),
          engine && eq(videos.engine, engine),
          isNull(videos.filesDeletedAt),
          gt(videos.filesExpireAt, plus(now, leastLeftMs)),
        ),
      )
      .orderBy(desc(videos.finishedAt))
      .limit(1),
)

/** Whether the result of that video, in the account of the row that is written, can be used at this moment. */
export function stillStands({ from, work }: { from: string; work: string }, now: number): SQL {
  return sql`exists (select 1 from videos as standing
    where standing.id = ${from} and standing.account_id = videos.account_id and standing.work = ${work}
      and standing.files_deleted_at is null and standing.files_expire_at > ${now + leastLeftMs})`
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import { videoStatuses, type VideoStatus } from '../../contract/video/video-state.ts'
import { query } from '../database.ts'
import { videos } from '../tables/tables.ts'
import { newestFirst, ofPage, type PageOfVideos } from './videos.ts'

/** The columns that a list shows. The request, the transcript and the analysis are not read: with them, a row can be a megabyte. */
const cardColumns = {
  id: videos.id,
  // Written as text, because Drizzle leaves out the names of tables in a statement about one table.
  jobId: sql<string>`(select j.id from jobs as j where j.video_id = videos.id)`,
  name: videos.name,
  status: videos.status,
  phase: videos.phase,
  progressPercent: videos.progressPercent,
  aspectRatio: sql<string | null>`json_extract(${videos.request}, '$.aspectRatio')`,
  hasCaptions: sql<number>`json_type(${videos.request}, '$.captions') is not null`,
  hasOverlays: sql<number>`coalesce(json_array_length(${videos.request}, '$.elements'), 0) > 0`,
  cleansSound: sql<number>`coalesce(json_extract(${videos.request}, '$.removeNoise') or json_type(${videos.request}, '$.normalizeAudio') in ('true', 'object'), 0)`,
  isAnalysis: sql<number>`coalesce(json_extract(${videos.request}, '$.analyzeOnly'), 0)`,
  result: videos.result,
  errorMessage: videos.errorMessage,
  createdAt: videos.createdAt,
  updatedAt: videos.updatedAt,
  filesExpireAt: videos.filesExpireAt,
}

/** Newest first, strictly after `after`. */
export async function listVideoCards(d1: D1Database, accountId: string, page: PageOfVideos) {
  return query(d1, (db) =>
    db
      .select(cardColumns)
      .from(videos)
      .where(ofPage(accountId, page))
      .orderBy(...newestFirst)
      .limit(page.limit),
  )
}
export type VideoCard = Awaited<ReturnType<typeof listVideoCards>>[number]

export async function findVideoCards(d1: D1Database, accountId: string, ids: readonly string[]) {
  return query(d1, (db) =>
    db
      .select(cardColumns)
      .from(videos)
      .where(and(inArray(videos.id, [...ids]), eq(videos.accountId, accountId)))
      .orderBy(...newestFirst),
  )
}

/** Only the names, for a search: hundreds of them cost the database and the Worker little. */
export async function listVideoNames(d1: D1Database, accountId: string, page: PageOfVideos) {
  return query(d1, (db) =>
    db
      .select({ id: videos.id, name: videos.name, createdAt: videos.createdAt })
      .from(videos)
      .where(ofPage(accountId, page))
      .orderBy(...newestFirst)
      .limit(page.limit),
  )
}

/** How many videos the account has with each status, counted up to `most`: the index is read no further, however many there are. */
export async function countVideos(d1: D1Database, accountId: string, most: number) {
  const counts = videoStatuses.map(
    (status) =>
      sql`(select count(*) from (select 1 from ${videos} where ${and(
        eq(videos.accountId, accountId),
        eq(videos.status, status),
      )} limit ${most})) as ${sql.raw(status)}`,
  )
  return query(d1, (db) =>
    db.get<Record<VideoStatus, number>>(sql`select ${sql.join(counts, sql`, `)}`),
  )
}

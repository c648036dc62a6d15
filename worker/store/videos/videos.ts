import { and, desc, eq, exists, inArray, sql } from 'drizzle-orm'
import type { ChangeVideo } from '../../contract/options/create-video.ts'
import { limits } from '../../contract/limits.ts'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { terminalStatuses, type VideoStatus } from '../../contract/video/video-state.ts'
import { among, olderThan, query, type Database } from '../database.ts'
import { change, findAll, findOne, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import {
  jobAttempts,
  jobs,
  keptWords,
  shownVideo,
  tombstones,
  videos,
  webhookEvents,
  type KeptTranscript,
  type ShownVideo,
} from '../tables/tables.ts'

/** A video of another account is not found. */
export const findVideo = findOne((db, accountId: Given<string>, videoId: Given<string>) =>
  selectShown(db).where(and(eq(videos.id, videoId), eq(videos.accountId, accountId))),
)

/** A video always has its job: both are written and deleted in one batch. */
function selectShown(db: Database) {
  return db.select(shownVideo).from(videos).innerJoin(jobs, eq(jobs.videoId, videos.id))
}

/** Finds a video for a link, which carries its own permission. */
export const findVideoOfLink = findOne((db, videoId: Given<string>) =>
  db.select().from(videos).where(eq(videos.id, videoId)),
)

export type PageOfVideos = {
  status?: VideoStatus | undefined
  batchId?: string | undefined
  after?: PageEnd | undefined
  limit: number
}

export const newestFirst = [desc(videos.createdAt), desc(videos.id)] as const

/** The videos of the account on a page and after it. Those created meanwhile are newer, so they shift nothing. */
export function ofPage(accountId: string, { after, status, batchId }: PageOfVideos) {
  const mine =
    batchId === undefined
      ? eq(videos.accountId, accountId)
      : // The plus keeps SQLite off the account's index, which would read all its videos to find those of one batch.
        and(eq(videos.batchId, batchId), sql`+${videos.accountId} = ${accountId}`)
  return and(mine, status ? eq(videos.status, status) : undefined, olderThan(videos, after))
}

/** Newest first, strictly after `after`. */
export async function listVideos(d1: D1Database, accountId: string, page: PageOfVideos) {
  return query(d1, (db) =>
    selectShown(db)
      .where(ofPage(accountId, page))
      .orderBy(...newestFirst)
      .limit(page.limit),
  )
}

/** Those of these videos that the database has, in any order. */
export const listVideosByIds = findAll(
  (db, accountId: Given<string>, ids: Given<readonly string[]>) => {
    const { id, name, status, progressPercent, errorMessage } = videos
    return db
      .select({ id, name, status, progressPercent, errorMessage })
      .from(videos)
      .where(and(among(id, ids), sql`+${videos.accountId} = ${accountId}`))
  },
)

type VideoChange = Omit<ChangeVideo, 'speakerNames'> & {
  /** Other names for speakers, if the row still has the ones that were read. Undefined: the names that the job gave. */
  renamed?: { from: KeptNames; to: KeptNames }
  at: number
}

type KeptNames = KeptTranscript['renamed']

const withRenamed = (renamed: KeptNames) =>
  renamed
    ? sql`json_set(${videos.transcript}, '$.renamed', json(${JSON.stringify(renamed)}))`
    : sql`json_remove(${videos.transcript}, '$.renamed')`

/** Each save of names writes files of its own, so the key of one of them tells which save was the last. */
const hasNames = (renamed: KeptNames) =>
  sql`json_extract(${videos.transcript}, '$.renamed.files."transcript-json".key')
    is ${renamed?.files['transcript-json']?.key ?? null}`

/** `isOvertaken`: nothing was changed, because another request has named the speakers since they were read. */
type Changed = { video: ShownVideo; isOvertaken: boolean }

/** Changes the row in one statement, so that two changes at the same time lose nothing of each other. */
export async function changeVideo(
  d1: D1Database,
  accountId: string,
  videoId: string,
  { videoName, metadata, renamed, at }: VideoChange,
): Promise<Changed | undefined> {
  const request = sql`json_set(${videos.request}, '$.metadata', json(${JSON.stringify(metadata)}))`
  const change = {
    updatedAt: at,
    ...(videoName === undefined ? {} : { name: videoName }),
    ...(metadata === undefined ? {} : { request }),
    ...(renamed === undefined ? {} : { transcript: withRenamed(renamed.to) }),
  }
  const isOwn = and(eq(videos.id, videoId), eq(videos.accountId, accountId))
  const [changed, [video]] = await query(d1, (db) =>
    db.batch([
      db
        .update(videos)
        .set(change)
        .where(and(isOwn, renamed && hasNames(renamed.from)))
        .returning({ id: videos.id }),
      selectShown(db).where(isOwn),
    ]),
  )
  return video && { video, isOvertaken: changed.length === 0 }
}

/** Removes what was said and seen in the video from its event; the rest of the event stays. Clips are named by what is said in them. */
const withoutText = sql`json_remove(${webhookEvents.body}, '$.data.transcript.text', '$.data.analysis.data', '$.data.suggestions',
  '$.data.moments', ${sql.join(
    Array.from({ length: limits.outputs }, (_, i) => sql.raw(`'$.data.outputs[${i}].title'`)),
    sql`, `,
  )})`

/** For a video whose record has left the database, where the log of its webhooks may still be. */
export const removeTextFromEvents = change(
  (db, { accountId, videoId }: Given<{ accountId: string; videoId: string }>) =>
    db
      .update(webhookEvents)
      .set({ body: withoutText })
      .where(and(eq(webhookEvents.videoId, videoId), eq(webhookEvents.accountId, accountId))),
)

type LastRow = { transcript: KeptTranscript | null }

/**
 * Deletes a finished video with its transcript and analysis, and leaves tombstones, due at once, for its objects. Returns
 * the last state of its row, or undefined if the video is not finished or does not exist. The last statement decides; the
 * others check whether it will delete the row.
 */
export async function deleteVideo(
  d1: D1Database,
  video: { accountId: string; videoId: string; prefixes: readonly string[] },
  now: number,
): Promise<LastRow | undefined> {
  return query(d1, async (db) => {
    const ofVideo = db.select({ id: jobs.id }).from(jobs).where(eq(jobs.videoId, video.videoId))
    const finished = and(
      eq(videos.id, video.videoId),
      eq(videos.accountId, video.accountId),
      inArray(videos.status, terminalStatuses),
    )
    const finishedRow = db
      .select({ one: sql`1` })
      .from(videos)
      .where(finished)
    const results = await db.batch([
      db.delete(jobAttempts).where(and(inArray(jobAttempts.jobId, ofVideo), exists(finishedRow))),
      ...video.prefixes.map((prefix) =>
        db
          .insert(tombstones)
          .select(
            sql`${selectRow(tombstones, { prefix, createdAt: now, listAfter: now })} where exists ${finishedRow}`,
          )
          .onConflictDoNothing(),
      ),
      db
        .update(webhookEvents)
        .set({ body: withoutText })
        .where(and(eq(webhookEvents.videoId, video.videoId), exists(finishedRow))),
      db
        .delete(keptWords)
        .where(
          and(
            eq(keptWords.videoId, video.videoId),
            eq(keptWords.accountId, video.accountId),
            exists(finishedRow),
          ),
        ),
      db.delete(jobs).where(and(eq(jobs.videoId, video.videoId), exists(finishedRow))),
      db.delete(videos).where(finished).returning({ transcript: videos.transcript }),
    ])
    const [row] = results.at(-1) as LastRow[]
    return row
  })
}

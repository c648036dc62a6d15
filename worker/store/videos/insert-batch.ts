import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { InsightStatus } from '../../contract/video/video-state.ts'
import { callStorage, columnOfMissingValue, tableOfTakenKey } from '../database.ts'
import { takeKey, type NewIdempotencyRow } from '../idempotency.ts'
import { part, type Given } from '../statement.ts'
import { batches, type BatchRow, type VideoSource } from '../tables/tables.ts'

/** The fields of a video that differ within its batch. */
export type BatchVideo = {
  id: string
  jobId: string
  name: string
  request: CreateVideo
  transcriptStatus: InsightStatus
  analysisStatus: InsightStatus
  source?: VideoSource | undefined
  /** The finished upload that becomes its source. */
  uploadId?: string | undefined
  /** The video whose stored source it shares. */
  sharedWith?: string | undefined
  sweepAfter: number
}

export type Inserted =
  | { outcome: 'inserted'; databaseBytes: number | undefined }
  | { outcome: 'id-taken' | 'key-taken' | 'source-taken' }

/** Writes the rows of new videos with these statements, or tells what is taken already. */
export async function insertTogether(
  d1: D1Database,
  statements: () => D1PreparedStatement[],
): Promise<Inserted> {
  return callStorage(async () => {
    try {
      const results = await d1.batch(statements())
      return { outcome: 'inserted', databaseBytes: results.at(-1)?.meta.size_after }
    } catch (error) {
      return { outcome: whatIsTaken(error) }
    }
  }, statements)
}

/** Throws any other error. */
function whatIsTaken(error: unknown): Exclude<Inserted['outcome'], 'inserted'> {
  if (columnOfMissingValue(error) === 'jobs.video_id') return 'source-taken'
  const table = tableOfTakenKey(error)
  if (table === 'idempotency_keys') return 'key-taken'
  if (table === 'videos' || table === 'jobs' || table === 'batches') return 'id-taken'
  throw error
}

/** D1 accepts two million bytes in one value of a statement. */
const bytesAtOnce = 1_500_000

const insertBatchRow = part((db, batch: Given<BatchRow>) => db.insert(batches).values(batch))

const insertVideos = `INSERT INTO videos (id, account_id, name, status, request, transcript_status, analysis_status, source,
    batch_id, created_at, updated_at)
  SELECT v.value ->> 'id', ?2, v.value ->> 'name', 'queued', v.value -> 'request', v.value ->> 'transcriptStatus',
    v.value ->> 'analysisStatus', v.value -> 'source', ?3, ?4, ?4
  FROM json_each(?1) AS v`

const giveUploads = `UPDATE uploads SET status = 'used', video_id = v.value ->> 'id'
  FROM json_each(?1) AS v
  WHERE uploads.id = v.value ->> 'uploadId' AND uploads.account_id = ?2 AND uploads.status = 'ready'`

/**
 * A job is left without its video if another video has taken the upload, or if the source is no longer kept: then the
 * whole batch fails. A source can be used until a minute before it expires, so that no sweep is already removing it.
 */
const insertJobs = `INSERT INTO jobs (id, video_id, account_id, sweep_after, created_at)
  SELECT v.value ->> 'jobId',
    CASE
      WHEN v.value ->> 'uploadId' IS NOT NULL
        THEN (SELECT u.video_id FROM uploads AS u WHERE u.id = v.value ->> 'uploadId' AND u.video_id = v.value ->> 'id')
      WHEN v.value ->> 'sharedWith' IS NOT NULL
        THEN (SELECT v.value ->> 'id' FROM videos AS o
          WHERE o.id = v.value ->> 'sharedWith' AND o.account_id = ?2 AND o.source IS NOT NULL AND o.source_deleted_at IS NULL
            AND (o.source_expires_at IS NULL OR o.source_expires_at > ?3 + 60000))
      ELSE v.value ->> 'id'
    END,
    ?2, v.value ->> 'sweepAfter', ?3
  FROM json_each(?1) AS v`

/**
 * Stores a batch with all its videos, their jobs, their holds on uploads and the answer for its Idempotency-Key: all or
 * nothing. A thousand videos take a few statements, because each writes the rows of a list.
 */
export async function insertBatch(
  d1: D1Database,
  batch: BatchRow,
  videos: readonly BatchVideo[],
  keyUse: NewIdempotencyRow | undefined,
): Promise<Inserted> {
  const { id, accountId, createdAt } = batch
  const rows = inPortions(videos.map((video) => JSON.stringify(video)))
  const jobs = JSON.stringify(
    videos.map(({ id: videoId, jobId, uploadId, sharedWith, sweepAfter }) => ({
      ...{ id: videoId, jobId, uploadId, sharedWith, sweepAfter },
    })),
  )
  return insertTogether(d1, () => [
    insertBatchRow(d1, batch),
    ...(keyUse ? takeKey(d1, keyUse) : []),
    ...rows.map((some) => d1.prepare(insertVideos).bind(some, accountId, id, createdAt)),
    d1.prepare(giveUploads).bind(jobs, accountId),
    d1.prepare(insertJobs).bind(jobs, accountId, createdAt),
  ])
}

/** JSON lists of the rows, each of which fits into one value. */
function inPortions(rows: readonly string[]): string[] {
  const portions: string[][] = []
  let bytes = Infinity
  for (const row of rows) {
    const rowBytes = new TextEncoder().encode(row).length + 1
    if (bytes + rowBytes > bytesAtOnce) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(row)
    bytes += rowBytes
  }
  return portions.map((portion) => `[${portion.join(',')}]`)
}

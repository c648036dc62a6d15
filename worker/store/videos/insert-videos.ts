import { inPortions } from '../../contract/in-groups.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { InsightStatus } from '../../contract/video/video-state.ts'
import { callStorage, columnOfMissingValue, tableOfTakenKey } from '../database.ts'
import { takeKey, type NewIdempotencyRow } from '../idempotency.ts'
import { part, type Given } from '../statement.ts'
import { batches, type BatchRow, type UploadStatus, type VideoSource } from '../tables/tables.ts'

/** A new video and its job. */
export type NewVideo = {
  id: string
  jobId: string
  name: string
  request: CreateVideo
  transcriptStatus: InsightStatus
  analysisStatus: InsightStatus
  source?: VideoSource | undefined
  /** The upload that becomes its source. */
  uploadId?: string | undefined
  /** The video whose stored source it shares. */
  sharedWith?: string | undefined
  sweepAfter: number
}

type Inserted =
  | { outcome: 'inserted'; databaseBytes: number | undefined }
  | { outcome: 'id-taken' | 'key-taken' | 'source-taken' }

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

const insertRows = `INSERT INTO videos (id, account_id, name, status, request, transcript_status, analysis_status, source,
    batch_id, created_at, updated_at)
  SELECT v.value ->> 'id', ?2, v.value ->> 'name', 'queued', v.value -> 'request', v.value ->> 'transcriptStatus',
    v.value ->> 'analysisStatus', v.value -> 'source', ?3, ?4, ?4
  FROM json_each(?1) AS v`

const giveUploads = `UPDATE uploads SET status = 'used', video_id = v.value ->> 'id'
  FROM json_each(?1) AS v
  WHERE uploads.id = v.value ->> 'uploadId' AND uploads.account_id = ?2 AND uploads.status = ?3`

/**
 * A job is left without its video if another video has taken the upload, or if the source is no longer kept: then
 * nothing is stored. A source can be used until a minute before it expires, so that no sweep is already removing it.
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

type InsertedTogether = {
  accountId: string
  createdAt: number
  batch?: BatchRow
  keyUse?: NewIdempotencyRow | undefined
  /** The token of the claim with which the request already holds the key. */
  claim?: string | undefined
  /** The status that the uploads must have until then. */
  from?: UploadStatus | undefined
}

/**
 * Stores videos with their jobs, their holds on uploads, their batch and the answer for the Idempotency-Key: all or
 * nothing. A thousand videos take a few statements, because each writes the rows of a list.
 */
export async function insertVideos(
  d1: D1Database,
  videos: readonly NewVideo[],
  { accountId, createdAt, batch, keyUse, claim, from = 'ready' }: InsertedTogether,
): Promise<Inserted> {
  const rows = inPortions(
    videos.map((video) => JSON.stringify(video)),
    (row) => new TextEncoder().encode(row).length + 1,
    { bytes: bytesAtOnce },
  )
  const jobs = JSON.stringify(
    videos.map(({ id, jobId, uploadId, sharedWith, sweepAfter }) => ({
      ...{ id, jobId, uploadId, sharedWith, sweepAfter },
    })),
  )
  const takesUploads = videos.some(({ uploadId }) => uploadId !== undefined)
  return callStorage(async (): Promise<Inserted> => {
    const statements = [
      ...(batch ? [insertBatchRow(d1, batch)] : []),
      ...(keyUse ? takeKey(d1, keyUse, claim) : []),
      ...rows.map((some) =>
        d1.prepare(insertRows).bind(`[${some.join()}]`, accountId, batch?.id ?? null, createdAt),
      ),
      ...(takesUploads ? [d1.prepare(giveUploads).bind(jobs, accountId, from)] : []),
      d1.prepare(insertJobs).bind(jobs, accountId, createdAt),
    ]
    try {
      const results = await d1.batch(statements)
      return { outcome: 'inserted', databaseBytes: results.at(-1)?.meta.size_after }
    } catch (error) {
      return { outcome: whatIsTaken(error) }
    }
  }, insertVideos)
}

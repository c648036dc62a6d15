import type { StoredVideo } from './archive.ts'
import { callStorage, rowsOf } from '../database.ts'

const dayMs = 86_400_000
/**
 * A row that has just changed may change again within the same millisecond, which `updated_at` would not show. The clocks
 * of the service differ by less than this.
 */
const restingMs = 60_000

/** A video that may leave the database, and the size of its row. */
export type Leaving = { id: string; sizeBytes: number }

/** A video stays while its webhooks are still to be sent, because its record is read for them. */
const hasNoneToSend = `NOT EXISTS (
  SELECT 1 FROM webhook_events AS e JOIN webhook_deliveries AS d ON d.event_id = e.id
  WHERE e.video_id = v.id AND d.finished_at IS NULL)`

const mayLeave = `v.files_deleted_at IS NOT NULL AND v.finished_at IS NOT NULL
  AND (v.source IS NULL OR v.source_deleted_at IS NOT NULL) AND ${hasNoneToSend}
  AND NOT EXISTS (SELECT 1 FROM batches AS b WHERE b.id = v.batch_id AND b.ended_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM undelivered AS u WHERE u.video_id = v.id)
  AND NOT EXISTS (SELECT 1 FROM kept_words AS k WHERE k.video_id = v.id)`

const due = `SELECT v.id AS id, octet_length(v.request) + coalesce(octet_length(v.transcript), 0)
    + coalesce(octet_length(v.analysis), 0) + coalesce(octet_length(v.result), 0) AS sizeBytes
  FROM accounts AS a CROSS JOIN videos AS v ON v.account_id = a.id
  WHERE a.archive_after_days IS NOT NULL AND v.finished_at <= ?1 - a.archive_after_days * ${dayMs}
    AND v.updated_at <= ?1 - ${restingMs} AND ${mayLeave}
  LIMIT ?2`

/** Videos as old as their account wants, for which the service has nothing left to do. */
export async function listLeaving(d1: D1Database, now: number, limit: number): Promise<Leaving[]> {
  return rowsOf(d1, due, now, limit)
}

const chosen = `(SELECT value FROM json_each(?1))`

/** The whole rows of these videos, as the database stores them. */
export async function readStored(d1: D1Database, ids: readonly string[]): Promise<StoredVideo[]> {
  const bound = JSON.stringify(ids)
  return callStorage(async () => {
    const [videos, jobs, attempts] = await d1.batch<Record<string, unknown>>([
      d1.prepare(`SELECT * FROM videos WHERE id IN ${chosen}`).bind(bound),
      d1.prepare(`SELECT * FROM jobs WHERE video_id IN ${chosen}`).bind(bound),
      d1
        .prepare(
          `SELECT job_attempts.* FROM jobs JOIN job_attempts ON job_attempts.job_id = jobs.id
           WHERE jobs.video_id IN ${chosen} ORDER BY job_attempts.fence`,
        )
        .bind(bound),
    ])
    const jobOf = new Map((jobs?.results ?? []).map((job) => [job['video_id'], job]))
    const attemptsOf = Map.groupBy(attempts?.results ?? [], (attempt) => attempt['job_id'])
    return (videos?.results ?? []).flatMap((video) => {
      const job = jobOf.get(video['id'])
      return job ? [{ video, job, attempts: attemptsOf.get(job['id']) ?? [] }] : []
    })
  })
}

/** Names a video as it was read. */
type ReadVideo = { id: string; updatedAt: number }

/** Only a video that is still as it was read may be removed: one that was renamed since is archived later. */
const unchanged = `(SELECT v.id FROM json_each(?1) AS r
  CROSS JOIN videos AS v ON v.id = r.value ->> 'id' AND v.updated_at = r.value ->> 'updatedAt'
  WHERE ${mayLeave})`

/**
 * Removes the rows of videos that the archive has. The log of their webhooks stays for its own time. Returns the ids of
 * those that were removed.
 */
export async function removeStored(d1: D1Database, videos: readonly ReadVideo[]) {
  const bound = JSON.stringify(videos)
  const jobs = `SELECT id FROM jobs WHERE video_id IN ${unchanged}`
  return callStorage(async () => {
    const results = await d1.batch<{ id: string }>([
      d1.prepare(`DELETE FROM job_attempts WHERE job_id IN (${jobs})`).bind(bound),
      d1.prepare(`DELETE FROM jobs WHERE video_id IN ${unchanged}`).bind(bound),
      d1.prepare(`DELETE FROM videos WHERE id IN ${unchanged} RETURNING id`).bind(bound),
    ])
    return new Set((results.at(-1)?.results ?? []).map(({ id }) => id))
  })
}

import { callStorage } from './database.ts'

/** Counts of what waits and what fails in the whole service, and of everything in it. Times are in milliseconds. */
export type StoredState = {
  queued: number
  running: number
  oldestQueuedAt: number | null
  deadLettered: number
  deadLetteredOpen: number
  deliveriesPending: number
  deliveriesExhausted: number
  oldestDueAt: number | null
  succeeded: number
  failed: number
  canceled: number
  secondsIn: number
  secondsOut: number
  processorSeconds: number
  copiesFailed: number
  storageBytes: number
}

/** Every count reads an index that contains only such rows: those that wait, or that have failed lately. */
const counts = `SELECT
  (SELECT count(*) FROM videos AS v WHERE v.status = 'queued') AS queued,
  (SELECT count(*) FROM videos AS v WHERE v.status = 'running' AND v.status <> 'queued') AS running,
  (SELECT min(v.created_at) FROM videos AS v WHERE v.status = 'queued') AS oldestQueuedAt,
  (SELECT count(*) FROM jobs AS j WHERE j.dead_lettered_at IS NOT NULL) AS deadLettered,
  (SELECT count(*) FROM jobs AS j
    WHERE j.dead_lettered_at IS NOT NULL AND j.finished_at IS NULL) AS deadLetteredOpen,
  (SELECT count(*) FROM webhook_deliveries AS d
    WHERE d.status = 'pending') AS deliveriesPending,
  (SELECT count(*) FROM webhook_deliveries AS d
    WHERE d.status = 'exhausted') AS deliveriesExhausted,
  (SELECT min(d.created_at) FROM webhook_deliveries AS d
    WHERE d.status = 'pending') AS oldestDueAt`

/** One row for each account. */
const totals = `SELECT
  coalesce(sum(succeeded), 0) AS succeeded,
  coalesce(sum(failed), 0) AS failed,
  coalesce(sum(canceled), 0) AS canceled,
  coalesce(sum(seconds_in), 0) AS secondsIn,
  coalesce(sum(seconds_out), 0) AS secondsOut,
  coalesce(sum(processor_seconds), 0) AS processorSeconds,
  coalesce(sum(copies_failed), 0) AS copiesFailed,
  coalesce(sum(kept_bytes), 0) AS storageBytes
  FROM usage_totals`

/** Returns the size of the database too, which every answer of D1 contains. */
export async function readServiceState(d1: D1Database) {
  return callStorage(async () => {
    const [counted, summed] = await d1.batch<Partial<StoredState>>([
      d1.prepare(counts),
      d1.prepare(totals),
    ])
    // Both statements return every field, each in one row.
    const state = { ...counted?.results[0], ...summed?.results[0] } as StoredState
    return { state, databaseBytes: counted?.meta.size_after ?? 0 }
  })
}

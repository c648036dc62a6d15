import { callStorage, rowsOf } from '../database.ts'

export type LineRow = {
  jobId: string
  accountId: string
  createdAt: number
  jobCreatedAt: number
  startedAt: number | null
  chain: number
  weight: number
  maxRunning: number | null
  version: number
  turn: number | null
  rowid: number
}

export type LineStep = { createdAt: number; rowid: number }

const beginning: LineStep = { createdAt: 0, rowid: 0 }

/** One step through all queued videos, the oldest first. */
export async function listQueued(
  d1: D1Database,
  { createdAt, rowid }: LineStep = beginning,
  limit: number,
): Promise<LineRow[]> {
  const text = `SELECT j.id AS jobId, v.account_id AS accountId, v.created_at AS createdAt, v.rowid AS rowid,
      j.created_at AS jobCreatedAt, j.started_at AS startedAt, j.chain, a.weight, a.max_running AS maxRunning,
      a.plan_version AS version, a.turn
    FROM videos AS v INDEXED BY videos_queued JOIN jobs AS j ON j.video_id = v.id JOIN accounts AS a ON a.id = v.account_id
    WHERE v.status = 'queued' AND (v.created_at, v.rowid) > (?, ?)
    ORDER BY v.created_at, v.rowid LIMIT ?`
  return rowsOf(d1, text, createdAt, rowid, limit)
}

type RunningInLine = { jobId: string; accountId: string; startedAt: number }

/** How long a job has worked. */
type WorkedRow = { accountId: string; ms: number }

/**
 * The running jobs, the greatest position in the order of turns, and how long recent jobs have worked: all that is needed
 * besides the line. `worked`: the newest first.
 */
export async function readHeld(d1: D1Database, most: { running: number; past: number }) {
  return callStorage(async () => {
    const [running, latest, past] = await d1.batch([
      d1
        .prepare(
          `SELECT j.id AS jobId, v.account_id AS accountId, coalesce(j.started_at, v.updated_at) AS startedAt
          FROM videos AS v JOIN jobs AS j ON j.video_id = v.id
          WHERE v.status = 'running' AND v.status <> 'queued' ORDER BY v.created_at LIMIT ?`,
        )
        .bind(most.running),
      d1.prepare('SELECT coalesce(max(turn), 0) AS latest FROM accounts'),
      d1
        .prepare(
          `SELECT v.account_id AS accountId, j.finished_at - j.started_at AS ms FROM videos AS v JOIN jobs AS j ON j.video_id = v.id
          WHERE v.status = 'succeeded' AND v.status <> 'queued' AND j.started_at IS NOT NULL
          ORDER BY v.created_at DESC LIMIT ?`,
        )
        .bind(most.past),
    ])
    // Each statement returns the fields of its type.
    return {
      running: (running?.results ?? []) as RunningInLine[],
      latest: (latest?.results[0] as { latest: number } | undefined)?.latest ?? 0,
      worked: (past?.results ?? []) as WorkedRow[],
    }
  })
}

type AccountLine = {
  accountId: string
  waiting: number
  running: number
  weight: number
  maxRunning: number | null
  version: number
  turn: number | null
}

/** The accounts that have jobs in line. Reads an index that holds nothing else. */
export async function countInLine(d1: D1Database): Promise<AccountLine[]> {
  const text = `SELECT a.id AS accountId, l.waiting, a.weight, a.max_running AS maxRunning, a.plan_version AS version, a.turn,
      (SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND r.status = 'running') AS running
    FROM (SELECT account_id, count(*) AS waiting FROM jobs WHERE waits > 0 GROUP BY account_id) AS l
    JOIN accounts AS a ON a.id = l.account_id`
  return rowsOf(d1, text)
}

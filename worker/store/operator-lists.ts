import { callStorage } from './database.ts'

/** A job as the operator's page lists it. Times are in milliseconds. */
export type ListedJob = {
  jobId: string
  videoId: string
  videoName: string
  accountId: string
  accountName: string | null
  status: string
  phase: string | null
  progress: number
  attempts: number
  waits: number
  createdAt: number
  updatedAt: number
  deadLetteredAt: number | null
  maxRunning: number | null
  /** How many jobs of the account run. */
  running: number
}

export type ListedAccount = {
  id: string
  name: string | null
  weight: number
  maxRunning: number | null
  rateLimits: string | null
  createdAt: number
  queued: number
  running: number
  succeeded: number
  keptBytes: number
}

export type OperatorLists = {
  waiting: ListedJob[]
  running: ListedJob[]
  deadLetters: ListedJob[]
  accounts: ListedAccount[]
}

const job = `SELECT j.id AS jobId, v.id AS videoId, v.name AS videoName, a.id AS accountId, a.name AS accountName,
  v.status, v.phase, v.progress_percent AS progress, j.attempts, j.waits,
  j.created_at AS createdAt, v.updated_at AS updatedAt,
  j.dead_lettered_at AS deadLetteredAt, a.max_running AS maxRunning,
  (SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND r.status = 'running') AS running`

/** Each list ends with this many rows: the page shows what is most urgent and says how many there are. */
const ofStatus = (
  condition: string,
) => `${job} FROM videos AS v JOIN jobs AS j ON j.video_id = v.id JOIN accounts AS a ON a.id = v.account_id
  WHERE ${condition} ORDER BY v.created_at LIMIT ?`
const waiting = ofStatus("v.status = 'queued'")
const running = ofStatus("v.status = 'running' AND v.status <> 'queued'")
const dead = `${job} FROM jobs AS j JOIN videos AS v ON v.id = j.video_id JOIN accounts AS a ON a.id = v.account_id
  WHERE j.dead_lettered_at IS NOT NULL ORDER BY j.dead_lettered_at DESC LIMIT ?`
/** The newest accounts: the operator's commands list all of them. */
const accounts = `SELECT a.id, a.name, a.weight, a.max_running AS maxRunning, a.rate_limits AS rateLimits, a.created_at AS createdAt,
  (SELECT count(*) FROM videos AS q WHERE q.account_id = a.id AND q.status = 'queued') AS queued,
  (SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND r.status = 'running') AS running,
  coalesce(u.succeeded, 0) AS succeeded, coalesce(u.kept_bytes, 0) AS keptBytes
  FROM (SELECT * FROM accounts ORDER BY rowid DESC LIMIT ?) AS a
  LEFT JOIN usage_totals AS u ON u.account_id = a.id`

export async function readOperatorLists(d1: D1Database, limit: number): Promise<OperatorLists> {
  return callStorage(async () => {
    const results = await d1.batch([
      d1.prepare(waiting).bind(limit),
      d1.prepare(running).bind(limit),
      d1.prepare(dead).bind(limit),
      d1.prepare(accounts).bind(limit),
    ])
    const [queued, begun, deadLetters, listed] = results.map((result) => result.results)
    // Each statement returns the fields of its type.
    return { waiting: queued, running: begun, deadLetters, accounts: listed } as OperatorLists
  })
}

import { and, eq, lt, sql } from 'drizzle-orm'
import { callStorage, type Database, openDatabase } from './database.ts'
import type { AccountDatabase } from './databases.ts'
import { accounts, jobs } from './tables.ts'

/**
 * The job whose turn it is. `at` is when the turn was given; the job's message must carry it, because it identifies the
 * turn.
 */
export type Turn = { jobId: string; at: number }

/**
 * How long a turn counts if nothing more is heard of it: longer than an offer takes, even to a container that starts
 * slowly, and no longer than a slot may stay empty after a crash between two steps.
 */
const turnMs = 45_000

/** A job that every answering media worker refused lets others go first for this long, unless a slot becomes free. */
export const passedMs = 15_000

export function hasTurn(job: { wokenAt: number }, now: number): boolean {
  return job.wokenAt > now - turnMs
}

/**
 * Finds the next job. Accounts with a waiting job are found one by one in an index that has nothing else, so the cost
 * depends on the number of accounts and not on the length of the line. An account's place is the point in the order of
 * turns at which its next job begins: one turn after its last one, divided by its weight, and never before now, so that
 * nobody can save up turns. Turns that were given and not taken yet count as taken. An account that already runs as
 * many jobs as its plan allows is left out.
 */
const places = `
  WITH RECURSIVE
  waiting (id) AS (
    SELECT min(account_id) FROM videos WHERE status = 'queued'
    UNION ALL
    SELECT (SELECT min(account_id) FROM videos WHERE status = 'queued' AND account_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL
  ),
  given AS MATERIALIZED (
    SELECT id AS job_id, account_id, waits FROM jobs WHERE woken_at > 0 AND woken_at > :expired
  ),
  able AS MATERIALIZED (
    SELECT a.id,
      max(coalesce(a.turn + 1.0 / a.weight, 0), (SELECT coalesce(max(turn), 0) FROM accounts))
        + 1.0 * (SELECT count(*) FROM given WHERE given.account_id = a.id) / a.weight AS place
    FROM waiting JOIN accounts AS a ON a.id = waiting.id
    WHERE a.max_running IS NULL OR a.max_running >
      (SELECT count(*) FROM videos AS r WHERE r.account_id = a.id AND r.status = 'running')
      + (SELECT count(*) FROM given WHERE given.account_id = a.id)
  ),
  firsts AS (
    SELECT able.place, (
      SELECT j.id FROM videos AS v JOIN jobs AS j ON j.video_id = v.id
      WHERE v.account_id = able.id AND v.status = 'queued' AND j.woken_at <= :expired
        AND (j.passed_until <= :notPassed OR j.id = :asking)
      ORDER BY v.created_at LIMIT 1
    ) AS job_id
    FROM able
  )`

const next = `
  (SELECT firsts.job_id FROM firsts JOIN jobs AS f ON f.id = firsts.job_id
   ORDER BY firsts.place, f.created_at, f.waits DESC LIMIT 1)`

/** For a slot that has become free. */
const giveToNext = `UPDATE jobs SET woken_at = :now WHERE id = (${places} SELECT ${next})
  RETURNING id`

/**
 * For a job that asks while nobody knows of a free slot. If no job is in line there may be many slots, and each job may
 * try. If there is a line, only one job tries at a time, and it is the first in line: the job that asks only triggers
 * it.
 */
const giveToAsking = `UPDATE jobs SET woken_at = :now WHERE id = (${places}
  SELECT CASE
    WHEN NOT EXISTS (
      SELECT 1 FROM able CROSS JOIN jobs AS l ON l.account_id = able.id
      WHERE l.waits > 0 AND l.passed_until <= :now AND l.id <> :asking
    ) THEN (SELECT j.id FROM jobs AS j JOIN able ON able.id = j.account_id WHERE j.id = :asking)
    WHEN EXISTS (SELECT 1 FROM given WHERE waits > 0) THEN NULL
    ELSE ${next}
  END)
  RETURNING id`

type Values = {
  now: number
  notPassed: number
  asking: string
  video?: string
  ended?: string
}

function giving(d1: AccountDatabase, text: string, values: Values): D1PreparedStatement {
  const named: Record<string, string | number> = { ...values, expired: values.now - turnMs }
  const bound: (string | number)[] = []
  const statement = text.replace(/:(\w+)/g, (_, name: string) => {
    bound.push(named[name] ?? '')
    return '?'
  })
  return d1.prepare(statement).bind(...bound)
}

async function give(d1: AccountDatabase, text: string, values: Values): Promise<Turn | undefined> {
  const row = await callStorage(async () => giving(d1, text, values).first<{ id: string }>())
  return row ? { jobId: row.id, at: values.now } : undefined
}

/**
 * The same as a statement of the batch that ends a video, so that the slot which this frees costs no statement of its own.
 * It gives nothing unless that batch has written the end.
 */
export function giveTurnAtEnd(
  d1: AccountDatabase,
  { videoId, eventId, now }: { videoId: string; eventId: string; now: number },
): D1PreparedStatement {
  const text = giveToNext.replace(
    'RETURNING',
    'AND EXISTS (SELECT 1 FROM videos WHERE id = :video AND terminal_event_id = :ended) RETURNING',
  )
  const anyJob = { notPassed: Number.MAX_SAFE_INTEGER, asking: '' }
  return giving(d1, text, { ...anyJob, now, video: videoId, ended: eventId })
}

/**
 * Gives a turn for a free slot. `evenPassed`: also to a job that was refused a moment ago, because the slot may belong
 * to another media worker.
 */
export async function giveTurn(
  d1: AccountDatabase,
  { now, evenPassed }: { now: number; evenPassed: boolean },
): Promise<Turn | undefined> {
  const notPassed = evenPassed ? Number.MAX_SAFE_INTEGER : now
  return give(d1, giveToNext, { now, notPassed, asking: '' })
}

/** Whose turn it is when this job asks: its own, another job's, or none until others have tried. */
export async function askForTurn(
  d1: AccountDatabase,
  jobId: string,
  now: number,
): Promise<Turn | undefined> {
  return give(d1, giveToAsking, { now, notPassed: now, asking: jobId })
}

/** Takes back a turn that found no slot. */
export async function returnTurn(
  d1: AccountDatabase,
  { jobId, at }: Turn,
  passedUntil = 0,
): Promise<void> {
  await callStorage(() =>
    openDatabase(d1)
      .update(jobs)
      .set({ wokenAt: 0, passedUntil })
      .where(and(eq(jobs.id, jobId), eq(jobs.wokenAt, at)))
      .run(),
  )
}

/** For the batch that starts the job, before its claim is written: a claim that is already written has paid. */
export function payForTurn(db: Database, claim: { jobId: string; fence: number }) {
  const claiming = db
    .select({ accountId: jobs.accountId })
    .from(jobs)
    .where(and(eq(jobs.id, claim.jobId), lt(jobs.fence, claim.fence)))
  return db
    .update(accounts)
    .set({
      turn: sql`max(coalesce(${accounts.turn} + 1.0 / ${accounts.weight}, 0), (select coalesce(max(a.turn), 0) from accounts a))`,
    })
    .where(sql`${accounts.id} = ${claiming}`)
}

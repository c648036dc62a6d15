import { and, eq, exists, inArray, isNull, lte, or, sql, type SQL, lt } from 'drizzle-orm'
import type { AttemptOutcome } from '../../contract/job/job-record.ts'
import {
  statusesBeforeReuse,
  videoStatusesBefore,
  type Phase,
  type VideoStatus,
} from '../../contract/video/video-state.ts'
import { changeWith, openDatabase, query, type Database } from '../database.ts'
import { change, together, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { firstSweepMs } from '../sweep-times.ts'
import { insightColumns, insightsToBeginAgain, type InsightNews } from './insight-changes.ts'
import { accounts, jobAttempts, jobs, undelivered, videos } from '../tables/tables.ts'
import { stillStands } from './standing.ts'
import { terminalColumns, type TerminalChange } from './terminal-change.ts'
import { tell } from '../webhooks/tell.ts'
import type { StoredTrace } from '../jobs/traces.ts'

/** Which claim of which job makes a change. Every change below requires that this fence is still the job's. */
export type Claim = { jobId: string; videoId: string; fence: number }
type AnyClaim = Claim | Given<Claim>

function atFence(db: Database, claim: AnyClaim): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(jobs)
      .where(and(eq(jobs.id, claim.jobId), eq(jobs.fence, claim.fence))),
  )
}

/**
 * Whether this claim may take the job. The start of an earlier claim, whose sender died, may be written while a later one
 * is being offered: then the video already runs, and must not get a second attempt.
 */
function isNewClaim(db: Database, { jobId, videoId, fence }: Given<Claim>): SQL | undefined {
  const isQueued = exists(
    db
      .select({ one: sql`1` })
      .from(videos)
      .where(and(eq(videos.id, videoId), eq(videos.status, 'queued'))),
  )
  return and(eq(jobs.id, jobId), sql`${jobs.fence} < ${fence}`, isNull(jobs.finishedAt), isQueued)
}

/**
 * Whether the account of the job may have one more at work. The dispatcher sees to that with its turns, but after a
 * restart it does not know of a start that is still on its way.
 */
function isBelowCap(db: Database): SQL {
  const atWork = sql`(select count(*) from videos as w where w.account_id = ${accounts.id} and w.status = 'running')`
  return exists(
    db
      .select({ one: sql`1` })
      .from(accounts)
      .where(
        and(
          eq(accounts.id, jobs.accountId),
          or(isNull(accounts.maxRunning), sql`${atWork} < ${accounts.maxRunning}`),
        ),
      ),
  )
}

/** The WHERE of a guarded change: the table of states allows it, and the current claim makes it. */
function mayBecome(
  db: Database,
  claim: AnyClaim,
  to: VideoStatus,
  before = videoStatusesBefore(to),
): SQL | undefined {
  return and(eq(videos.id, claim.videoId), inArray(videos.status, before), atFence(db, claim))
}

/** Resets the columns that only a waiting job has. */
const outOfLine = { waits: 0 }

/**
 * queued → running, when a media worker has accepted the job. False if the video has moved on, or its account has as many
 * at work as it may.
 */
export const markRunning = together(
  (db, claim: Given<Claim>, start: Given<{ attempt: number; now: number; sweepAfter: number }>) => [
    payForTurn(db, claim),
    db
      .update(jobs)
      .set({
        fence: claim.fence,
        attempts: start.attempt,
        sweepAfter: start.sweepAfter,
        sweeps: 0,
        ...outOfLine,
        startedAt: sql`coalesce(${jobs.startedAt}, ${start.now})`,
      })
      .where(and(isNewClaim(db, claim), isBelowCap(db))),
    db
      .update(videos)
      .set({ status: 'running', phase: 'fetching', updatedAt: start.now })
      .where(mayBecome(db, claim, 'running'))
      .returning({ id: videos.id }),
    db
      .insert(jobAttempts)
      .select(
        sql`${selectRow(jobAttempts, {
          jobId: claim.jobId,
          fence: claim.fence,
          attempt: start.attempt,
          startedAt: start.now,
        })} where ${atFence(db, claim)}`,
      )
      .onConflictDoNothing(),
  ],
  ([, , started]) => started.length > 0,
)

/** Makes the job refuse the start of any earlier claim, if it waits. */
export const outdateStarts = change((db, claim: Given<Claim>) =>
  db.update(jobs).set({ fence: claim.fence }).where(isNewClaim(db, claim)),
)

export type ShownProgress = { phase: Phase; percent: number; insights: InsightNews; now: number }

/** Returns false if the video has moved on. */
export async function saveProgress(d1: D1Database, claim: Claim, progress: ShownProgress) {
  const saved = await query(d1, (db) =>
    db
      .update(videos)
      .set({
        phase: progress.phase,
        progressPercent: sql`max(${videos.progressPercent}, ${progress.percent})`,
        updatedAt: progress.now,
        ...insightColumns(progress.insights),
      })
      .where(and(eq(videos.id, claim.videoId), eq(videos.status, 'running'), atFence(db, claim)))
      .returning({ id: videos.id }),
  )
  return saved.length > 0
}

/** Whether this attempt has not ended yet. */
function isOpen(db: Database, { jobId, fence }: Claim): SQL {
  const ofClaim = and(eq(jobAttempts.jobId, jobId), eq(jobAttempts.fence, fence))
  return exists(
    db
      .select({ one: sql`1` })
      .from(jobAttempts)
      .where(and(ofClaim, isNull(jobAttempts.finishedAt))),
  )
}

/** `only`: closes the attempt if this condition holds. */
function closeAttempt(
  db: Database,
  claim: Claim,
  end: { outcome: AttemptOutcome; trace?: StoredTrace | undefined; now: number },
  only?: SQL,
) {
  return db
    .update(jobAttempts)
    .set({ finishedAt: end.now, outcome: end.outcome, trace: end.trace ?? null })
    .where(
      and(
        eq(jobAttempts.jobId, claim.jobId),
        eq(jobAttempts.fence, claim.fence),
        isNull(jobAttempts.finishedAt),
        only,
      ),
    )
}

/** Stores the trace of a canceled attempt, which comes only after the video has ended. */
export const saveTrace = change(
  (db, claim: Given<Claim>, { trace }: Given<{ trace: StoredTrace }>) =>
    db
      .update(jobAttempts)
      .set({ trace })
      .where(
        and(
          eq(jobAttempts.jobId, claim.jobId),
          eq(jobAttempts.fence, claim.fence),
          eq(jobAttempts.outcome, 'canceled'),
        ),
      ),
)

/** `chain`: the number of the message that will dispatch the job again; undefined if another claim has followed. */
export type Requeued = { moved: boolean; chain: number | undefined }

type Requeue = {
  outcome: 'lost' | 'released' | 'failed'
  attempts: number
  trace?: StoredTrace | undefined
  now: number
  sweepAfter: number
  /** The progress of the attempt that readers were shown. */
  progress?: { percent: number; insights: InsightNews } | undefined
}

/**
 * running → queued: the attempt is over, the job is not. Messages from before its end no longer count. The progress stays,
 * because shown progress does not go back.
 */
export async function requeue(d1: D1Database, claim: Claim, end: Requeue): Promise<Requeued> {
  const [moved, counted] = await query(d1, (db) =>
    db.batch([
      db
        .update(videos)
        .set({
          status: 'queued',
          phase: null,
          updatedAt: end.now,
          progressPercent: sql`max(${videos.progressPercent}, ${end.progress?.percent ?? 0})`,
          ...insightsToBeginAgain(end.progress?.insights),
        })
        .where(mayBecome(db, claim, 'queued'))
        .returning({ id: videos.id }),
      db
        .update(jobs)
        .set({
          // An attempt that was handed back does not come to count because the answer to that was lost.
          attempts: sql`case when ${isOpen(db, claim)} then ${end.attempts} else ${jobs.attempts} end`,
          sweepAfter: end.sweepAfter,
          chain: sql`${jobs.chain} + 1`,
          ...outOfLine,
        })
        .where(and(eq(jobs.id, claim.jobId), eq(jobs.fence, claim.fence)))
        .returning({ chain: jobs.chain }),
      closeAttempt(db, claim, end),
    ]),
  )
  return { moved: moved.length > 0, chain: counted[0]?.chain }
}

/**
 * The one change that ends a video. Its first statement writes the event id only if the change is legal, and all others
 * require that id. So a second ending writes nothing, however it came about. Neither does one that arrives long after its
 * sender has died, when the video has moved on: its event would tell of less than the row has shown. Returns false if the
 * change was not legal, not of this claim, or too late.
 */
export async function endVideo(d1: D1Database, claim: Claim, change: TerminalChange) {
  const db = openDatabase(d1)
  const { now, eventId, event, to } = change
  const ended = exists(
    db
      .select({ one: sql`1` })
      .from(videos)
      .where(and(eq(videos.id, claim.videoId), eq(videos.terminalEventId, eventId))),
  )
  const endedVideo = db
    .update(videos)
    .set(terminalColumns(change))
    .where(and(mayEnd(db, claim, change), lte(videos.progressPercent, change.progressPercent)))
    .returning({ id: videos.id })
  const endedJob = db
    .update(jobs)
    .set({ finishedAt: now, error: change.jobError ?? null, waits: 0 })
    .where(and(eq(jobs.id, claim.jobId), ended))
  return changeWith(d1, [
    endedVideo,
    endedJob,
    closeAttempt(db, claim, { outcome: to, trace: change.trace, now }, ended),
    ...(event ? tell(db, event, { eventId, videoId: claim.videoId, now, ended }) : []),
    ...(change.result?.deliveries
      ? [db.insert(undelivered).select(sql`${selectUndelivered(claim, now)} where ${ended}`)]
      : []),
  ])
}

/** A video ends with the result of another one only while that still has its files. */
function mayEnd(db: Database, claim: Claim, { to, reused, made, now }: TerminalChange) {
  if (!reused || !made) return mayBecome(db, claim, to)
  const { work } = made
  return and(
    mayBecome(db, claim, to, statusesBeforeReuse),
    stillStands({ from: reused.from, work }, now),
  )
}

/** The row of a video that is to be delivered. Its account is the video's. The sweep looks after it if its courier was not told. */
function selectUndelivered({ videoId, jobId }: Claim, now: number): SQL {
  const accountId = sql`(select account_id from videos where id = ${videoId})`
  const sweepAfter = now + firstSweepMs
  return selectRow(undelivered, { videoId, jobId, accountId, createdAt: now, sweepAfter })
}

/**
 * For the batch that starts the job, before its claim is written: a claim that is already written has paid. The account's
 * place in the order of turns outlasts the dispatcher's memory.
 */
function payForTurn(db: Database, claim: Given<Claim>) {
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

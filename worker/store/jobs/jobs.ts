import { and, asc, desc, eq, isNull, lte, sql, type Column, type SQL } from 'drizzle-orm'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import { among, query, type Database } from '../database.ts'
import { change, findAll, findOne, plus, type Given } from '../statement.ts'
import { longestSweepMs } from '../sweep-times.ts'
import { webhookEndpoints, type EndpointRow } from '../tables/account-tables.ts'
import {
  accounts,
  jobAttempts,
  jobs,
  shownVideo,
  videos,
  type JobRow,
  type ShownVideo,
} from '../tables/tables.ts'

export type JobWithVideo = { job: JobRow; video: ShownVideo }
/** What the JobRunner needs to run a job and to end it. */
export type JobToRun = JobWithVideo & {
  retainOutputsDays: number
  retainSourcesDays: number
  /** The endpoints of the account that get events, besides the one that the request may name. */
  endpoints: EndpointToTell[]
  /** No job stands in line and the account has no cap. */
  mayTryAtOnce: boolean
  plan: { weight: number; maxRunning: number | null; version: number; turn: number | null }
  /** The greatest position of all accounts in the order of turns. */
  latestTurn: number
}
export type SummarizedJob = {
  job: JobRow
  video: Pick<ShownVideo, 'id' | 'name' | 'status' | 'updatedAt'>
}

export type DueJob = Pick<JobRow, 'createdAt' | 'startedAt'> & { jobId: string }
export type EndpointToTell = Pick<EndpointRow, 'id' | 'url' | 'eventTypes'>

/**
 * The enabled endpoints of an account, read with a job or a batch, so that an account without endpoints costs no
 * statement. The statement must join several tables: with a single one, Drizzle leaves out the table's name, and the
 * endpoints of all accounts would match.
 */
export const enabledEndpointsOf = (accountId: Column) =>
  sql`(select json_group_array(json_object(
  'id', ${webhookEndpoints.id}, 'url', ${webhookEndpoints.url}, 'eventTypes', json(${webhookEndpoints.eventTypes})))
  from ${webhookEndpoints}
  where ${webhookEndpoints.accountId} = ${accountId} and ${webhookEndpoints.disabledAt} is null)`.mapWith(
    (text: string) => JSON.parse(text) as EndpointToTell[],
  )

/** True if no job stands in line. Reads an index that contains only jobs in line. */
const mayTryAtOnce =
  sql`(${accounts.maxRunning} is null and not exists (select 1 from jobs as l where l.waits > 0))`.mapWith(
    Boolean,
  )

const latestTurn = sql`(select coalesce(max(a.turn), 0) from accounts as a)`.mapWith(Number)

const jobWithVideo = { job: jobs, video: shownVideo }

const jobToRun = {
  ...jobWithVideo,
  retainOutputsDays: accounts.retainOutputsDays,
  retainSourcesDays: accounts.retainSourcesDays,
  endpoints: enabledEndpointsOf(jobs.accountId),
  mayTryAtOnce,
  plan: {
    weight: accounts.weight,
    maxRunning: accounts.maxRunning,
    version: accounts.planVersion,
    turn: accounts.turn,
  },
  latestTurn,
}

function selectJobs(db: Database) {
  return db.select(jobWithVideo).from(jobs).innerJoin(videos, eq(videos.id, jobs.videoId))
}

export const findJob = findOne((db, jobId: Given<string>) =>
  db
    .select(jobToRun)
    .from(jobs)
    .innerJoin(videos, eq(videos.id, jobs.videoId))
    .innerJoin(accounts, eq(accounts.id, jobs.accountId))
    .where(eq(jobs.id, jobId)),
)

export const findJobOf = findOne((db, accountId: Given<string>, jobId: Given<string>) =>
  selectJobs(db).where(and(eq(jobs.id, jobId), eq(jobs.accountId, accountId))),
)

export const findJobOfVideo = findOne((db, accountId: Given<string>, videoId: Given<string>) =>
  selectJobs(db).where(and(eq(jobs.videoId, videoId), eq(jobs.accountId, accountId))),
)

export const listAttempts = findAll((db, jobId: Given<string>) =>
  db.select().from(jobAttempts).where(eq(jobAttempts.jobId, jobId)).orderBy(asc(jobAttempts.fence)),
)

/** A condition written so that the index of queued videos, or that of all others, can be used. */
function ofStatus(status: VideoStatus): SQL | undefined {
  if (status === 'queued') return sql`${videos.status} = 'queued'`
  return and(eq(videos.status, status), sql`${videos.status} <> 'queued'`)
}

/** Those of these jobs that have not ended. */
export const listUnfinished = findAll(
  (db, jobIds: Given<readonly string[]>) =>
    db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(among(jobs.id, jobIds), isNull(jobs.finishedAt))),
  ({ id }) => id,
)

/** For the operator: the jobs of all accounts, newest first, with the few columns of their videos that such a list shows. */
export async function listJobs(
  d1: D1Database,
  page: { status?: VideoStatus | undefined; videoId?: string | undefined; limit: number },
): Promise<SummarizedJob[]> {
  const { id, name, status, updatedAt } = videos
  return query(d1, (db) =>
    db
      .select({ job: jobs, video: { id, name, status, updatedAt } })
      .from(jobs)
      .innerJoin(videos, eq(videos.id, jobs.videoId))
      .where(
        and(
          page.status && ofStatus(page.status),
          page.videoId === undefined ? undefined : eq(jobs.videoId, page.videoId),
        ),
      )
      // Rows are numbered in the order of their creation.
      .orderBy(page.status ? desc(videos.createdAt) : sql`${videos}.rowid desc`)
      .limit(page.limit),
  )
}

/** Unfinished jobs that have been quiet for too long, the most overdue first. */
export const listDueJobs = findAll((db, now: Given<number>, limit: Given<number>) =>
  db
    .select({ jobId: jobs.id, createdAt: jobs.createdAt, startedAt: jobs.startedAt })
    .from(jobs)
    .where(and(sql`${jobs.finishedAt} is null`, lte(jobs.sweepAfter, now)))
    .orderBy(asc(jobs.sweepAfter))
    .limit(limit),
)

/** Notes that the job stands in line, where the dispatcher calls it; the sweep leaves it alone for as long as it may. */
export const keepWaiting = change(
  (db, { id, fence }: Given<Pick<JobRow, 'id' | 'fence'>>, now: Given<number>) =>
    db
      .update(jobs)
      .set({ waits: sql`${jobs.waits} + 1`, sweepAfter: plus(now, longestSweepMs) })
      .where(and(eq(jobs.id, id), eq(jobs.fence, fence), isNull(jobs.finishedAt))),
)

export const findJobIdOf = findOne(
  (db, videoId: Given<string>) =>
    db.select({ id: jobs.id }).from(jobs).where(eq(jobs.videoId, videoId)),
  ({ id }) => id,
)

/** Returns undefined if the job is not in this database. */
export const markDeadLettered = findOne(
  (db, jobId: Given<string>, now: Given<number>) =>
    db
      .update(jobs)
      .set({ deadLetteredAt: now })
      .where(eq(jobs.id, jobId))
      .returning({ id: jobs.id }),
  ({ id }) => id,
)

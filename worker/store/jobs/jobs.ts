import { and, asc, desc, eq, isNull, lte, sql, type Column, type SQL } from 'drizzle-orm'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import { among, callStorage, openDatabase } from '../database.ts'
import { longestSweepMs } from '../sweep-times.ts'
import { webhookEndpoints, type EndpointRow } from '../tables/account-tables.ts'
import {
  accounts,
  jobAttempts,
  jobs,
  shownVideo,
  videos,
  type AttemptRow,
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
  /** Nobody stands in line and the account has no cap. */
  mayTryAtOnce: boolean
  plan: { weight: number; maxRunning: number | null; turn: number | null }
  /** The greatest position of all accounts in the order of turns. */
  latestTurn: number
}
export type EndpointToTell = Pick<EndpointRow, 'id' | 'url' | 'eventTypes'>

/**
 * Read with a job or a batch, so that an account without endpoints costs no statement. The statement must join several tables:
 * Drizzle names no table in front of a column where there is only one, and the endpoints of everybody would match.
 */
export const enabledEndpointsOf = (accountId: Column) =>
  sql`(select json_group_array(json_object(
  'id', ${webhookEndpoints.id}, 'url', ${webhookEndpoints.url}, 'eventTypes', json(${webhookEndpoints.eventTypes})))
  from ${webhookEndpoints}
  where ${webhookEndpoints.accountId} = ${accountId} and ${webhookEndpoints.disabledAt} is null)`.mapWith(
    (text: string) => JSON.parse(text) as EndpointToTell[],
  )

/** Looks into an index that has only jobs in line. */
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
  plan: { weight: accounts.weight, maxRunning: accounts.maxRunning, turn: accounts.turn },
  latestTurn,
}

function selectJobs(d1: D1Database) {
  return openDatabase(d1)
    .select(jobWithVideo)
    .from(jobs)
    .innerJoin(videos, eq(videos.id, jobs.videoId))
}

export async function findJob(d1: D1Database, jobId: string): Promise<JobToRun | undefined> {
  return callStorage(() =>
    openDatabase(d1)
      .select(jobToRun)
      .from(jobs)
      .innerJoin(videos, eq(videos.id, jobs.videoId))
      .innerJoin(accounts, eq(accounts.id, jobs.accountId))
      .where(eq(jobs.id, jobId))
      .get(),
  )
}

export async function findJobOf(d1: D1Database, accountId: string, jobId: string) {
  return callStorage(() =>
    selectJobs(d1)
      .where(and(eq(jobs.id, jobId), eq(jobs.accountId, accountId)))
      .get(),
  )
}

export async function findJobOfVideo(d1: D1Database, accountId: string, videoId: string) {
  return callStorage(() =>
    selectJobs(d1)
      .where(and(eq(jobs.videoId, videoId), eq(jobs.accountId, accountId)))
      .get(),
  )
}

export async function listAttempts(d1: D1Database, jobId: string): Promise<AttemptRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(jobAttempts)
      .where(eq(jobAttempts.jobId, jobId))
      .orderBy(asc(jobAttempts.fence))
      .all(),
  )
}

/** Written so that the index of queued videos, or that of all others, can be used. */
function ofStatus(status: VideoStatus): SQL | undefined {
  if (status === 'queued') return sql`${videos.status} = 'queued'`
  return and(eq(videos.status, status), sql`${videos.status} <> 'queued'`)
}

/** Those of these jobs that have not ended. */
export async function listUnfinished(d1: D1Database, jobIds: readonly string[]): Promise<string[]> {
  const rows = await callStorage(() =>
    openDatabase(d1)
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(among(jobs.id, jobIds), isNull(jobs.finishedAt)))
      .all(),
  )
  return rows.map(({ id }) => id)
}

/** For the operator: the jobs of all accounts, newest first. */
export async function listJobs(
  d1: D1Database,
  page: { status?: VideoStatus | undefined; videoId?: string | undefined; limit: number },
): Promise<JobWithVideo[]> {
  return callStorage(() =>
    selectJobs(d1)
      .where(
        and(
          page.status && ofStatus(page.status),
          page.videoId === undefined ? undefined : eq(jobs.videoId, page.videoId),
        ),
      )
      // Rows are numbered as they come.
      .orderBy(page.status ? desc(videos.createdAt) : sql`${videos}.rowid desc`)
      .limit(page.limit)
      .all(),
  )
}

/** Unfinished jobs that have been quiet for too long, the most overdue first. */
export async function listDueJobs(d1: D1Database, now: number, limit: number): Promise<string[]> {
  return callStorage(async () => {
    const rows = await openDatabase(d1)
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(sql`${jobs.finishedAt} is null`, lte(jobs.sweepAfter, now)))
      .orderBy(asc(jobs.sweepAfter))
      .limit(limit)
      .all()
    return rows.map(({ id }) => id)
  })
}

/** Notes that the job stands in line, from where it is called; the sweep leaves it alone for as long as it may. */
export async function keepWaiting(
  d1: D1Database,
  { id, fence }: Pick<JobRow, 'id' | 'fence'>,
  now: number,
): Promise<void> {
  await callStorage(() =>
    openDatabase(d1)
      .update(jobs)
      .set({ waits: sql`${jobs.waits} + 1`, sweepAfter: now + longestSweepMs })
      .where(and(eq(jobs.id, id), eq(jobs.fence, fence), isNull(jobs.finishedAt)))
      .run(),
  )
}

export async function findJobIdOf(d1: D1Database, videoId: string): Promise<string | undefined> {
  return callStorage(async () => {
    const row = await openDatabase(d1)
      .select({ id: jobs.id })
      .from(jobs)
      .where(eq(jobs.videoId, videoId))
      .get()
    return row?.id
  })
}

/** Returns undefined if the job is not in this database. */
export async function markDeadLettered(d1: D1Database, jobId: string, now: number) {
  return callStorage(async () => {
    const marked = await openDatabase(d1)
      .update(jobs)
      .set({ deadLetteredAt: now })
      .where(eq(jobs.id, jobId))
      .returning({ id: jobs.id })
    return marked[0]?.id
  })
}

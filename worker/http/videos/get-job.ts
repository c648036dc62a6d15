import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { jobId as jobIdSchema } from '../../contract/ids.ts'
import { type JobRecord, listJobsQuery, type JobPage } from '../../contract/job/job-record.ts'
import { jobWithProgress, partsOf } from '../../durable/job/ask-progress.ts'
import { withTraces } from '../../service/jobs/attempt-traces.ts'
import { describeJob } from '../../service/jobs/describe-job.ts'
import type { Env } from '../../settings.ts'
import { findArchivedJob, type ArchivedVideo, findArchived } from '../../store/videos/archive.ts'
import {
  findJobIdOf,
  findJobOf,
  findJobOfVideo,
  listAttempts,
  type JobWithVideo,
} from '../../store/jobs/jobs.ts'
import type { AttemptRow, ShownVideo } from '../../store/tables/tables.ts'
import type { AppEnv } from '../app-env.ts'
import { readQuery } from '../read-query.ts'

/** A job with all attempts that were made for it, from the database or else from the archive. */
export async function readKeptJob(
  env: Env,
  find: () => Promise<JobWithVideo | undefined>,
  findArchived: () => Promise<ArchivedVideo | undefined>,
): Promise<{ record: JobRecord; video: ShownVideo } | undefined> {
  const found = await find()
  if (found) {
    const current = await jobWithProgress(env, found, find)
    const attempts = await attemptsOf(env, current)
    const parts = current.video.status === 'running' ? await partsOf(env, found.job.id) : []
    return {
      record: describeJob(current, await withTraces(env, attempts), parts),
      video: current.video,
    }
  }
  const archived = await findArchived()
  if (!archived) return undefined
  const record = describeJob(archived, await withTraces(env, archived.attempts))
  return { record, video: archived.video }
}

/** The attempts of a job. If it was given the result of another video, the attempt that made that result comes last. */
async function attemptsOf(env: Env, { job, video }: JobWithVideo): Promise<AttemptRow[]> {
  const own = await listAttempts(env.DB, job.id)
  // Whose files they are has made them, however many videos have been given them since.
  const makerId = video.filesOf === null ? undefined : await findJobIdOf(env.DB, video.filesOf)
  if (makerId === undefined) return own
  const made = await listAttempts(env.DB, makerId)
  return [...own, ...made.filter(({ outcome }) => outcome === 'succeeded')]
}

/** GET /v1/jobs/{jobId} */
export async function getJob(c: Context<AppEnv>): Promise<Response> {
  const parsed = jobIdSchema.safeParse(c.req.param('jobId'))
  if (!parsed.success) throw jobNotFound()
  const { accountId } = c.get('caller')
  const kept = await readKeptJob(
    c.env,
    async () => findJobOf(c.env.DB, accountId, parsed.data),
    async () => findArchivedJob(c.env.BUCKET, accountId, parsed.data),
  )
  if (!kept) throw jobNotFound()
  return c.json(kept.record)
}

function jobNotFound(): AppError {
  return new AppError('NotFound', 'Job not found.')
}

/** GET /v1/jobs?videoId=… */
export async function listJobs(c: Context<AppEnv>): Promise<Response> {
  const { videoId } = await readQuery(c, listJobsQuery)
  const { accountId } = c.get('caller')
  const kept = await readKeptJob(
    c.env,
    async () => findJobOfVideo(c.env.DB, accountId, videoId),
    async () => findArchived(c.env.BUCKET, accountId, videoId),
  )
  return c.json({ data: kept ? [kept.record] : [], nextCursor: null } satisfies JobPage)
}

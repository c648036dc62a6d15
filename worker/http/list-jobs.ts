import type { Context } from 'hono'
import { listJobsQuery, type JobPage } from '../contract/job-record.ts'
import { jobWithProgress } from '../durable/live-progress.ts'
import { describeJob } from '../service/describe-job.ts'
import { findJobOfVideo, listAttempts } from '../store/jobs.ts'
import type { AppEnv } from './app-env.ts'
import { readQuery } from './read-query.ts'

/** GET /v1/jobs?videoId=… */
export async function listJobs(c: Context<AppEnv>): Promise<Response> {
  const { videoId } = await readQuery(c, listJobsQuery)
  const find = async () => findJobOfVideo(c.env.DB, c.get('caller').accountId, videoId)
  const found = await find()
  const current = found && (await jobWithProgress(c.env, found, find))
  const data = current ? [describeJob(current, await listAttempts(c.env.DB, current.job.id))] : []
  return c.json({ data, nextCursor: null } satisfies JobPage)
}

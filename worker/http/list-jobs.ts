import type { Context } from 'hono'
import { listJobsQuery, type JobPage } from '../contract/job-record.ts'
import { describeJob } from '../service/describe-job.ts'
import { findJobOfVideo, listAttempts } from '../store/jobs.ts'
import type { AppEnv } from './app-env.ts'
import { readQuery } from './read-query.ts'

/** GET /v1/jobs?videoId=… */
export async function listJobs(c: Context<AppEnv>): Promise<Response> {
  const { videoId } = await readQuery(c, listJobsQuery)
  const found = await findJobOfVideo(c.env.DB, c.get('caller').accountId, videoId)
  const data = found ? [describeJob(found, await listAttempts(c.env.DB, found.job.id))] : []
  return c.json({ data, nextCursor: null } satisfies JobPage)
}

import type { Context } from 'hono'
import { listJobsQuery, type JobPage } from '../../contract/job/job-record.ts'
import { findArchived } from '../../store/videos/archive.ts'
import { findJobOfVideo } from '../../store/jobs/jobs.ts'
import type { AppEnv } from '../app-env.ts'
import { readKeptJob } from './get-job.ts'
import { readQuery } from '../read-query.ts'

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

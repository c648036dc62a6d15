import { listJobsQuery, type JobPage } from '../contract/job-record.ts'
import { describeJob } from '../service/describe-job.ts'
import { findJobOfVideo, listAttempts } from '../store/jobs.ts'
import { factory } from './app-env.ts'
import { checkQuery } from './check-query.ts'

/** GET /v1/jobs?videoId=… */
export const listJobs = factory.createHandlers(checkQuery(listJobsQuery), async (c) => {
  const { videoId } = c.req.valid('query')
  const found = await findJobOfVideo(c.env.DB, c.var.caller.accountId, videoId)
  const data = found ? [describeJob(found, await listAttempts(c.env.DB, found.job.id))] : []
  return c.json({ data, nextCursor: null } satisfies JobPage)
})

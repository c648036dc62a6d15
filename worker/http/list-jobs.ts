import { zValidator } from '@hono/zod-validator'
import { invalidRequest } from '../contract/errors.ts'
import { listFaults } from '../contract/faults.ts'
import { listJobsQuery, type JobPage } from '../contract/job-record.ts'
import { describeJob } from '../service/describe-job.ts'
import { findJobOfVideo, listAttempts } from '../store/jobs.ts'
import { requireScope } from './authenticate.ts'
import { factory } from './app-env.ts'

const readQuery = zValidator('query', listJobsQuery, (result) => {
  if (!result.success) throw invalidRequest(listFaults(result.error, result.data))
})

/** GET /v1/jobs?videoId=… */
export const listJobs = factory.createHandlers(
  requireScope('videos:read'),
  readQuery,
  async (c) => {
    const { videoId } = c.req.valid('query')
    const found = await findJobOfVideo(c.env.DB, c.var.caller.accountId, videoId)
    const data = found ? [describeJob(found, await listAttempts(c.env.DB, found.job.id))] : []
    return c.json({ data, nextCursor: null } satisfies JobPage)
  },
)

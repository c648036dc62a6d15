import type { Context } from 'hono'
import { AppError } from '../contract/errors.ts'
import { jobId as jobIdSchema } from '../contract/ids.ts'
import { jobWithProgress } from '../durable/live-progress.ts'
import { describeJob } from '../service/describe-job.ts'
import { findJobOf, listAttempts } from '../store/jobs.ts'
import type { AppEnv } from './app-env.ts'

/** GET /v1/jobs/{jobId} */
export async function readJob(c: Context<AppEnv>): Promise<Response> {
  const jobId = jobIdSchema.safeParse(c.req.param('jobId'))
  const find = async () =>
    jobId.success ? findJobOf(c.env.DB, c.get('caller').accountId, jobId.data) : undefined
  const found = await find()
  if (!found) throw new AppError('NotFound', 'Job not found.')
  const current = await jobWithProgress(c.env, found, find)
  return c.json(describeJob(current, await listAttempts(c.env.DB, found.job.id)))
}

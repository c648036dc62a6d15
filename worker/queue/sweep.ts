import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { forgetAdminNonces } from '../store/admin-nonces.ts'
import { forgetExpiredKeys } from '../store/idempotency.ts'
import { sweepJobs } from './sweep-jobs.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { sweepWebhooks } from './sweep-webhooks.ts'

type Step = (env: Env, now: number) => Promise<void>

/** The most urgent first: a job that waits comes before a row or a file too many. */
const steps: Record<string, Step> = {
  jobs: sweepJobs,
  webhooks: sweepWebhooks,
  idempotencyKeys: async (env, now) => forgetExpiredKeys(env.DB, now, 5000),
  adminNonces: async (env, now) => forgetAdminNonces(env.DB, now, 5000),
  objects: sweepObjects,
  uploads: sweepUploads,
  orphans: sweepOrphans,
}

/** The second net, once a minute. A step that fails is no reason to leave out the others. */
export async function sweep(env: Env, now: number): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(env, now)
    } catch (error) {
      log('error', 'a step of the sweep failed', { step, ...describeError(error) })
    }
  }
}

import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { forgetAdminNonces } from '../store/admin-nonces.ts'
import { forgetExpiredAttempts } from '../store/attempts.ts'
import { forgetExpiredKeys } from '../store/idempotency.ts'
import { forgetExpiredInvitations } from '../store/invitations.ts'
import { forgetExpiredTokens } from '../store/one-time-tokens.ts'
import { forgetExpiredSessions } from '../store/sessions.ts'
import { sweepJobs } from './sweep-jobs.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { sweepWebhooks } from './sweep-webhooks.ts'

type Step = (env: Env, now: number) => Promise<void>

/** The most urgent first: a job that waits matters more than a row or a file that is no longer needed. */
const steps: Record<string, Step> = {
  jobs: sweepJobs,
  webhooks: sweepWebhooks,
  idempotencyKeys: async (env, now) => forgetExpiredKeys(env.DB, now, 5000),
  adminNonces: async (env, now) => forgetAdminNonces(env.DB, now, 5000),
  sessions: async (env, now) => forgetExpiredSessions(env.DB, now, 5000),
  attempts: async (env, now) => forgetExpiredAttempts(env.DB, now, 5000),
  invitations: async (env, now) => forgetExpiredInvitations(env.DB, now, 5000),
  oneTimeTokens: async (env, now) => forgetExpiredTokens(env.DB, now, 5000),
  objects: sweepObjects,
  uploads: sweepUploads,
  orphans: sweepOrphans,
}

/** Runs once a minute and repairs what was lost elsewhere. A step that fails does not stop the others. */
export async function sweep(env: Env, now: number): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(env, now)
    } catch (error) {
      log('error', 'a step of the sweep failed', { step, ...describeError(error) })
    }
  }
}

import { sumUpRefusals } from '../service/limits/refused-strangers.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { forgetWords } from '../store/kept-words.ts'
import { forgetExpired, type ExpiringTable } from '../store/forget-expired.ts'
import { sweepArchive } from './sweep-archive.ts'
import { sweepBatches } from './sweep-batches.ts'
import { sweepBudgets } from './sweep-budgets.ts'
import { sweepDeliveries } from './sweep-deliveries.ts'
import { sweepJobs } from './sweep-jobs.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { sweepParts } from './sweep-parts.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { sweepWebhooks } from './sweep-webhooks.ts'
import { watchDatabase } from './watch-database.ts'

type Step = (env: Env, now: number) => Promise<void>

function forget(table: ExpiringTable): Step {
  return async (env, now) => forgetExpired(env.DB, table, { now, limit: 5000 })
}

/** The most urgent first: a job that waits matters more than a row or a file that is no longer needed. */
const steps: Record<string, Step> = {
  jobs: sweepJobs,
  webhooks: sweepWebhooks,
  deliveries: sweepDeliveries,
  budgets: sweepBudgets,
  idempotencyKeys: forget('idempotency_keys'),
  batches: sweepBatches,
  endedBatches: forget('batches'),
  adminNonces: forget('admin_nonces'),
  sessions: forget('sessions'),
  attempts: forget('attempts'),
  invitations: forget('invitations'),
  oneTimeTokens: forget('one_time_tokens'),
  objects: sweepObjects,
  keptWords: forgetWords,
  uploads: sweepUploads,
  parts: sweepParts,
  archive: sweepArchive,
  database: watchDatabase,
  orphans: sweepOrphans,
}

/** Runs once a minute and repairs what was lost elsewhere. A step that fails does not stop the others. */
export async function sweep(env: Env, now: number): Promise<void> {
  sumUpRefusals(now)
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run(env, now)
    } catch (error) {
      log('error', 'a step of the sweep failed', { step, ...describeError(error) })
    }
  }
}

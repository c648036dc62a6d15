import type { JobMessage } from '../../contract/job/job-message.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { isUnderstood, lateAt, overdue } from '../../service/jobs/decide-attempt.ts'
import { dispatcher, type Entering, type Outcome } from '../../service/line/dispatching.ts'
import { log } from '../../service/log.ts'
import type { Settings } from '../../settings.ts'
import { findJob, firstSweepMs, keepWaiting, type JobToRun } from '../../store/jobs/jobs.ts'
import type { JobEnd } from './job-end.ts'
import { unclaimed } from './run-state.ts'
import type { RunnerParts } from './runner-parts.ts'
import type { UnheldJob } from './unheld-job.ts'

type Runner = {
  parts: RunnerParts
  unheld: UnheldJob
  end: JobEnd
  /** Ends an offer under way, because a cancel is waiting. */
  interrupted: AbortSignal
}

/**
 * Handles a message for a job that nobody holds: the job is offered if the dispatcher has a slot for it, and stands in line
 * otherwise, where it costs nothing until the dispatcher calls it.
 */
export async function takeTurn(runner: Runner, message: JobMessage): Promise<void> {
  const { settings } = runner.parts
  const found = await findWaiting(runner, message.jobId)
  const { env } = runner.parts
  const slots = dispatcher(env)
  if (!found || message.chain < found.job.chain) return
  if ((await slots.enter(entering(found, settings))) === 'wait') {
    await stayInLine(runner, found)
    return
  }
  const outcome = await offer(runner, found)
  await slots.settle(message.jobId, outcome)
  if (outcome !== 'started' && outcome !== 'over') await stayInLine(runner, found)
}

/** Offers the job to media workers, because the dispatcher has called it. */
export async function answerCall(runner: Runner, jobId: string): Promise<Outcome> {
  const found = await findWaiting(runner, jobId)
  return found ? offer(runner, found) : 'over'
}

/** The waiting job; undefined if it is held, over or gone. One that has waited too long is ended. */
async function findWaiting(runner: Runner, jobId: string): Promise<JobToRun | undefined> {
  const { parts, end } = runner
  const known = parts.memory.state()
  if (known?.running || known?.endedAt !== undefined) return undefined
  const found = await findUnheld(runner, jobId)
  if (!found) return undefined
  const error = overdue(found.job, { ...parts.settings, now: Date.now() })
  if (!error) return found
  await end.write(found, unclaimed(found), { to: 'failed', error })
  return undefined
}

async function findUnheld({ parts, unheld }: Runner, jobId: string): Promise<JobToRun | undefined> {
  const found = await findJob(parts.env.DB, jobId)
  if (!found || isTerminal(found.video.status)) return undefined
  if (found.video.status !== 'running') return found
  // The row says running but nobody holds the job: this object has forgotten its attempt.
  await unheld.putBack(found)
  return findJob(parts.env.DB, jobId)
}

function entering(found: JobToRun, settings: Settings): Entering {
  const { job, video, plan, latestTurn: latest, mayTryAtOnce } = found
  const { id: jobId, accountId, chain } = job
  const deadline = lateAt(job, settings)
  const { createdAt } = video
  return { jobId, accountId, createdAt, chain, deadline, plan, latest, mayTryAtOnce }
}

async function offer({ parts, unheld, interrupted }: Runner, found: JobToRun): Promise<Outcome> {
  const known = parts.memory.state()
  if (isUnderstood(found.video.request)) return unheld.offer(found, known, interrupted)
  log('error', 'a stored job was not understood', { jobId: found.job.id })
  return unheld.bearRefusal(found, known, 'service')
}

/** Costs nothing if the row says so already, and the sweep leaves it alone for a while. */
async function stayInLine({ parts: { env } }: Runner, { job }: JobToRun): Promise<void> {
  const now = Date.now()
  if (job.waits > 0 && job.sweepAfter > now + firstSweepMs) return
  await keepWaiting(env.DB, job, now)
}

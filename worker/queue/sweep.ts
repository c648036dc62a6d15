import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import { forgetExpiredKeys } from '../store/idempotency.ts'
import { listDueJobs, makeAllDue, postponeSweep } from '../store/jobs.ts'
import { sweepObjects } from './sweep-objects.ts'

/** One tick looks at no more than this; the next one goes on where it stopped. */
const jobsPerTick = 500
const expiredKeysPerTick = 5000

/** Local queues forget when workerd restarts, so the first sweep of a process looks at every unfinished job. */
let sweptSinceBoot = false

export async function sweep(env: Env, now: number): Promise<void> {
  if (!sweptSinceBoot && readSettings(env).environment === 'local') {
    await makeAllDue(env.DB, now)
    sweptSinceBoot = true
  }
  await forgetExpiredKeys(env.DB, now, expiredKeysPerTick)
  for (const jobId of await listDueJobs(env.DB, now, jobsPerTick)) {
    try {
      const found = await jobRunner(env, jobId).checkUp(jobId)
      if (found === 'send') await env.JOBS.send({ kind: 'dispatch', jobId })
      await postponeSweep(env.DB, jobId, now)
    } catch (error) {
      log('error', 'sweep could not look after a job', { jobId, ...describeError(error) })
    }
  }
  // Last: a job that waits is more urgent than a file too many.
  await sweepObjects(env, now)
}

import { jobRunner } from '../durable/job-runner.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import { listDueJobs, makeAllDue, postponeSweep } from '../store/jobs.ts'

/** One tick looks at no more than this; the next one goes on where it stopped. */
const jobsPerTick = 1000
const atOnce = 8

/** Local queues forget when workerd restarts, so the first sweep of a process looks at every unfinished job. */
let sweptSinceBoot = false

/** Looks after unfinished jobs that nobody has spoken of for too long: a lost message, alarm or object. */
export async function sweepJobs(env: Env, now: number): Promise<void> {
  if (!sweptSinceBoot && readSettings(env).environment === 'local') {
    await makeAllDue(env.DB, now)
    sweptSinceBoot = true
  }
  const due = await listDueJobs(env.DB, now, jobsPerTick)
  // A runner that waits for a silent media worker must not hold up the others.
  const lookAfterRest = async (): Promise<void> => {
    for (let jobId = due.shift(); jobId !== undefined; jobId = due.shift()) {
      await lookAfter(env, jobId, now)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lookAfterRest))
}

async function lookAfter(env: Env, jobId: string, now: number): Promise<void> {
  try {
    const checkup = await jobRunner(env, jobId).checkUp(jobId)
    if (checkup.found === 'send') {
      await env.JOBS.send({ kind: 'dispatch', jobId, chain: checkup.chain })
    }
    await postponeSweep(env.DB, jobId, now)
  } catch (error) {
    log('error', 'sweep could not look after a job', { jobId, ...describeError(error) })
  }
}

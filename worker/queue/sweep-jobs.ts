import { fewAtOnce } from '../contract/few-at-once.ts'
import { withinMs } from '../contract/within-ms.ts'
import { jobRunner, type Checkup } from '../durable/job/job-runner.ts'
import { dispatcher } from '../service/line/dispatching.ts'
import { endJob } from '../service/jobs/end-job.ts'
import { pastDeadline } from '../service/jobs/decide-attempt.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import { findJob, listDueJobs, type DueJob } from '../store/jobs/jobs.ts'
import { countInLine } from '../store/jobs/line-rows.ts'
import { makeAllDue, postponeSweep } from '../store/sweep-times.ts'
import { jobs } from '../store/tables/tables.ts'
import { inGroups } from '../contract/in-groups.ts'

/** One tick looks at this many jobs at most; the next one continues. */
const jobsPerTick = 1000
const atOnce = 16
/** Objects that never answer must not use up the time of those after them. */
const answerMs = 5_000
const stepMs = 20_000
/** The most messages that one call of the queue takes. */
const messagesAtOnce = 100
/** Ending a job takes several statements, so one tick ends this many at most; the next one ends more. */
const endedPerTick = 20
const answersAgainSeconds = 3 * 3_600

/**
 * Local queues lose their messages when workerd restarts, so the first sweep of a process looks at every unfinished job.
 * So does the first one after the clock was set back, because the times at which jobs are due came from the clock before.
 */
const lastSweptAt = isolateMemory<number | undefined>(() => undefined)

type CheckedJob = DueJob & { checkup: Checkup | 'no answer' }

/** Looks after unfinished jobs that have been quiet for too long, because a message, an alarm or an object was lost. */
export async function sweepJobs(env: Env, now: number): Promise<void> {
  await makeAllDueAtFirst(env, now)
  const isLineKept = await lookAfterLine(env)
  const due = await listDueJobs(env.DB, now, jobsPerTick)
  const inLine = isLineKept ? await waitingOf(env, due) : new Set<string>()
  await postponeSweep(env.DB, jobs, [...inLine], now)
  const seen = await lookAtAll(
    env,
    due.filter(({ jobId }) => !inLine.has(jobId)),
  )
  const sent = await sendAll(env, seen)
  const limits = { ...readSettings(env), now }
  const overdue = seen.filter((job) => job.checkup === 'no answer' && pastDeadline(job, limits))
  for (const { jobId } of overdue.slice(0, endedPerTick)) await endIfOverdue(env, jobId, now)
  const stayDue = new Set(overdue.slice(endedPerTick))
  const rest = seen.filter((job) => !isToSend(job) && !stayDue.has(job))
  await postponeSweep(env.DB, jobs, [...sent, ...rest.map(({ jobId }) => jobId)], now)
}

async function makeAllDueAtFirst(env: Env, now: number): Promise<void> {
  const { current: last } = lastSweptAt
  const isFirst = last === undefined || now < last
  if (isFirst && readSettings(env).environment === 'local') await makeAllDue(env.DB, jobs, now)
  lastSweptAt.current = now
}

/** The dispatcher compares what it knows with D1. While nobody waits there is nothing to compare. */
async function lookAfterLine(env: Env): Promise<boolean> {
  try {
    const accounts = await countInLine(env.DB)
    if (accounts.length === 0) return false
    await withinMs(stepMs, dispatcher(env).lookAfter(accounts))
    return true
  } catch (error) {
    log('error', 'sweep could not look after the line', describeError(error))
    return false
  }
}

/** The jobs that stand in line: the dispatcher calls them, so their objects are not woken. */
async function waitingOf(env: Env, due: readonly DueJob[]): Promise<Set<string>> {
  if (due.length === 0) return new Set()
  const jobIds = due.map(({ jobId }) => jobId)
  try {
    return new Set(await withinMs(answerMs, dispatcher(env).waitingOf(jobIds)))
  } catch (error) {
    log('error', 'the dispatcher did not tell who waits', describeError(error))
    return new Set()
  }
}

/** Looks at the jobs that are due. Those for which the time does not suffice stay due. */
async function lookAtAll(env: Env, due: readonly DueJob[]): Promise<CheckedJob[]> {
  const seen: CheckedJob[] = []
  const until = performance.now() + stepMs
  await fewAtOnce(due, atOnce, async (job) => {
    if (performance.now() < until) seen.push({ ...job, checkup: await lookAt(env, job.jobId) })
  })
  return seen
}

async function lookAt(env: Env, jobId: string): Promise<Checkup | 'no answer'> {
  try {
    return await withinMs(answerMs, jobRunner(env, jobId).checkUp(jobId))
  } catch (error) {
    log('error', 'sweep could not look after a job', { jobId, ...describeError(error) })
    return 'no answer'
  }
}

function isToSend(job: CheckedJob): job is DueJob & { checkup: Checkup } {
  return job.checkup !== 'no answer' && job.checkup.found === 'send'
}

/** Returns the ids of the jobs whose message was sent; the others stay due. */
async function sendAll(env: Env, seen: readonly CheckedJob[]): Promise<string[]> {
  const messages = seen
    .filter(isToSend)
    .map(({ jobId, checkup: { chain } }) => ({ body: { kind: 'dispatch', jobId, chain } }))
  const sent: string[] = []
  for (const some of inGroups(messages, messagesAtOnce)) {
    try {
      await env.JOBS.sendBatch(some)
      sent.push(...some.map(({ body }) => body.jobId))
    } catch (error) {
      log('error', 'sweep could not send jobs', { count: some.length, ...describeError(error) })
    }
  }
  return sent
}

/** Ends a job that is overdue and whose object, which would end it, does not answer. */
async function endIfOverdue(env: Env, jobId: string, now: number): Promise<void> {
  try {
    const found = await findJob(env.DB, jobId)
    const error = found && pastDeadline(found.job, { ...readSettings(env), now })
    if (!found || !error) return
    const claim = { jobId, videoId: found.video.id, fence: found.job.fence }
    if (!(await endJob(env, found, claim, { to: 'failed', error }))) return
    log('error', 'a job was ended whose object does not answer', { jobId })
    await dispatcher(env).left(jobId, found.video.status === 'running')
    // The object may still remember the job as running, and nothing else would tell it of the end.
    const message = { kind: 'dispatch', jobId, chain: found.job.chain }
    await env.JOBS.send(message, { delaySeconds: answersAgainSeconds })
  } catch (error) {
    log('error', 'sweep could not end a job', { jobId, ...describeError(error) })
  }
}

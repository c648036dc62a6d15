import type { ShownPart } from '../../contract/job/shown-part.ts'
import { withinMs } from '../../contract/within-ms.ts'
import { withLive, type LiveProgress, type Progressing } from '../../service/jobs/live-progress.ts'
import { describeError, log } from '../../service/log.ts'
import type { Env } from '../../settings.ts'
import type { JobRow, ShownVideo } from '../../store/tables/tables.ts'
import { jobRunner } from './job-runner.ts'
import { inGroups } from '../../contract/in-groups.ts'

/** A reader waits for the progress of a job no longer than this. */
const answerMs = 2_000
/** A reader waits for the place of a job, and a forecast for the jobs that run, no longer than this. */
const forecastMs = 500
const atOnce = 16

/** `unknown`: the object did not answer. */
export type LiveAnswer = { running: LiveProgress | undefined } | 'unknown'

/** What the object of a job knows of its progress. */
export async function askForProgress(
  env: Env,
  jobId: string,
  mostMs = answerMs,
): Promise<LiveAnswer> {
  const ask = async () => withinMs(mostMs, jobRunner(env, jobId).progress())
  return unless(ask, 'unknown', { jobId, event: 'a job did not tell its progress' })
}

/** How many milliseconds a running job still works, if it can tell. */
export async function leftOf(env: Env, jobId: string): Promise<number | undefined> {
  const answer = await askForProgress(env, jobId, forecastMs)
  const { left } = answer === 'unknown' ? {} : (answer.running ?? {})
  return left && left.at + left.seconds * 1000 - Date.now()
}

/** The parts of its film that a job has given to media workers; none if its object does not answer. */
export async function partsOf(env: Env, jobId: string): Promise<ShownPart[]> {
  const ask = async () => withinMs(answerMs, jobRunner(env, jobId).parts())
  return unless(ask, [], { jobId, event: 'a job did not tell its parts' })
}

/** Tells the clients that follow a video that its row has changed. If this call is lost, they learn of it at the next phase. */
export async function tellChange(env: Env, jobId: string): Promise<void> {
  const tell = async () => withinMs(answerMs, jobRunner(env, jobId).rowChanged())
  await unless(tell, undefined, { jobId, event: 'a job was not told of a change' })
}

/** The answer of a job's object, or `instead` if it does not answer. */
async function unless<Answer, Instead>(
  ask: () => Promise<Answer>,
  instead: Instead,
  { jobId, event }: { jobId: string; event: string },
): Promise<Answer | Instead> {
  try {
    return await ask()
  } catch (error) {
    log('warn', event, { jobId, ...describeError(error) })
    return instead
  }
}

type RunningRow = Progressing & { status: string; jobId: string }

/**
 * The row of a video with the progress of its job. `readAgain` is called for a row that says running when its job has
 * none running: the attempt has ended since the row was read, and the row tells how.
 */
export async function withProgress<Row extends RunningRow>(
  env: Env,
  row: Row,
  readAgain: () => Promise<Row | undefined>,
  asked: Promise<LiveAnswer> = askIfRunning(env, row),
): Promise<Row> {
  if (row.status !== 'running') return row
  const answer = await asked
  if (answer === 'unknown') return row
  if (answer.running) return withLive(row, answer.running)
  return (await readAgain()) ?? row
}

async function askIfRunning(env: Env, { status, jobId }: RunningRow): Promise<LiveAnswer> {
  return status === 'running' ? askForProgress(env, jobId) : 'unknown'
}

/** The same for a list, a few at once. */
export async function allWithProgress<Row extends RunningRow>(
  env: Env,
  rows: readonly Row[],
  readAgain: (row: Row) => Promise<Row | undefined>,
): Promise<Row[]> {
  const shown: Row[] = []
  for (const some of inGroups(rows, atOnce)) {
    const current = some.map(async (row) => withProgress(env, row, async () => readAgain(row)))
    shown.push(...(await Promise.all(current)))
  }
  return shown
}

/** A job as it stands now, found with its video. */
export async function jobWithProgress<Job extends { video: ShownVideo; job: JobRow }>(
  env: Env,
  found: Job,
  readAgain: () => Promise<Job | undefined>,
): Promise<Job> {
  let current = found
  const video = await withProgress(env, found.video, async () => {
    current = (await readAgain()) ?? found
    return current.video
  })
  return { ...current, video }
}

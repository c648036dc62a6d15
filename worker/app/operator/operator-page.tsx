import type { Context } from 'hono'
import { replayJob } from '../../command/replay-job.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { jobId as jobIdSchema } from '../../contract/ids.ts'
import { askForProgress } from '../../durable/job/ask-progress.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSharedHealth } from '../../http/health.ts'
import { readState } from '../../service/service-state.ts'
import type { Env } from '../../settings.ts'
import { readOperatorLists, type ListedJob } from '../../store/operator-lists.ts'
import type { PageNotice } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { Checks, operatorStyle, OperatorView } from './operator-view.tsx'

/** What fits beside everything else on a laptop screen. */
const rowsPerList = 5

/** GET /app/operator */
export async function showOperator(c: Context<AppEnv>): Promise<Response> {
  const now = Date.now()
  const [state, lists, health] = await Promise.all([
    readState(c.env, now),
    readOperatorLists(c.env.DB, rowsPerList),
    readSharedHealth(c.env, now, c.executionCtx),
  ])
  const running = await Promise.all(lists.running.map(async (job) => withItsProgress(c.env, job)))
  return sendPage(c, {
    title: 'Operator',
    below: <Checks health={health} />,
    said: sayReplayed(c),
    section: 'operator',
    style: operatorStyle,
    scripts: ['live'],
    children: <OperatorView {...{ state, now }} lists={{ ...lists, running }} />,
  })
}

async function withItsProgress(env: Env, job: ListedJob): Promise<ListedJob> {
  const answer = await askForProgress(env, job.jobId)
  if (answer === 'unknown' || !answer.running) return job
  const { phase, percent } = answer.running
  return { ...job, phase, progress: Math.max(job.progress, percent) }
}

const outcomes: Record<string, string> = {
  sent: 'The job has been sent to a media worker again.',
  held: 'A media worker is already working on this job.',
  created: 'The job had ended, so a new video was created from the same request.',
}

function sayReplayed(c: Context<AppEnv>): PageNotice | undefined {
  const { done, refused } = c.req.query()
  const text = 'There is nothing to replay: the job succeeded, or its upload is no longer kept.'
  return outcomes[done ?? ''] ?? (refused === undefined ? undefined : { tone: 'bad', text })
}

/** POST /app/operator/jobs/{jobId}/replay */
export async function postReplay(c: Context<AppEnv>): Promise<Response> {
  const id = jobIdSchema.safeParse(c.req.param('jobId')).data
  if (id === undefined) throw new AppError('NotFound', 'Job not found.')
  try {
    const { outcome } = await replayJob(c.env, id, Date.now())
    return c.redirect(`/app/operator?done=${outcome}`, 303)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'Conflict') throw error
    return c.redirect('/app/operator?refused=1', 303)
  }
}

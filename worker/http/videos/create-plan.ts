import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { mintId } from '../../contract/ids.ts'
import {
  foresight,
  type ForeseenJob,
  type Foresight,
  type Likely,
} from '../../contract/job/foresight.ts'
import type { MediaJob } from '../../contract/job/media-job.ts'
import { priceOf } from '../../contract/job/price-of.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import { sayForesight, sayReused } from '../../contract/options/words/say-foresight.ts'
import { sayPlan } from '../../contract/options/words/say-plan.ts'
import type { Plan } from '../../contract/video/video-plan.ts'
import { jobRunner } from '../../durable/job/job-runner.ts'
import { httpMediaWorkers } from '../../durable/media-workers/http-media-workers.ts'
import type { PlanAnswer } from '../../durable/media-workers/media-worker.ts'
import { buildMediaJob, type Buildable } from '../../service/jobs/build-media-job.ts'
import { jobIdFor } from '../../service/jobs/job-id.ts'
import { refuseOverBudget } from '../../service/limits/budget.ts'
import { refuseOverQuota } from '../../service/limits/quota.ts'
import { refuseWithoutRoom } from '../../service/limits/database-fill.ts'
import { describeWork, tellStanding } from '../../service/reuse/describe-work.ts'
import { dispatcher, type Outlook } from '../../service/line/dispatching.ts'
import { signSources } from '../../service/storages/sign-sources.ts'
import { nameVideo } from '../../service/videos/name-video.ts'
import { findSource } from '../../service/videos/source-of-video.ts'
import { readSettings, type Env } from '../../settings.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import { findWords } from '../../store/kept-words.ts'
import { areStored } from '../../store/objects/objects.ts'
import { findStanding } from '../../store/videos/standing.ts'
import type { AppEnv } from '../app-env.ts'
import { readJson } from '../read-body.ts'
import { judgeRequest } from './create-video.ts'

/** POST /v1/plans: what a create would do, how long it takes and what it costs. Nothing is made. */
export async function createPlan(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = c.get('caller')
  const body = await readJson(c.req.raw)
  const request = await judgeRequest(c.env, accountId, body)
  return c.json(await planOf(c.env, accountId, request))
}

async function planOf(env: Env, accountId: string, request: CreateVideo): Promise<Plan> {
  const settings = readSettings(env)
  // As a create would be refused.
  await refuseWithoutRoom(env, Date.now())
  await refuseOverQuota(env, accountId)
  await refuseOverBudget(env, accountId, Date.now())
  const slots = dispatcher(env)
  const { paces, startsInMs } = await slots.outlook(accountId)
  const { build, video } = await jobBuilder(env, { accountId, request, paces })
  const asked = await askForPlan(env, accountId, build)
  const again = async (heard: HeardBefore) =>
    askForPlan(env, accountId, async (worker) => ({ ...(await build(worker)), heard }))
  const found = await withKept(env, accountId, { video, asked, again })
  const { foreseen, reusedFrom, wordsKept } = found
  const startsIn = startsInMs === undefined ? null : within(startsInMs / 1_000)
  const price = reusedFrom === null ? priceOf(foreseen, settings.prices) : none
  const plan = { ...foreseen, startsIn, price, reusedFrom, wordsKept }
  const steps = reusedFrom === null ? sayPlan(request) : [sayReused(reusedFrom)]
  return { steps, summary: sayForesight(plan), ...plan }
}

const none: Likely = { likely: 0, least: 0, most: 0 }

type HeardBefore = NonNullable<MediaJob['heard']>
/** `again`: asks once more, with words that were heard. */
type PlannedVideo = {
  video: Pick<VideoRow, 'request' | 'name'>
  asked: ForeseenJob
  again: (heard: HeardBefore) => Promise<ForeseenJob>
}
/** What is foreseen, where something need not be done because the same was made or heard before. */
async function withKept(
  env: Env,
  accountId: string,
  { video, asked, again }: PlannedVideo,
): Promise<{ foreseen: Foresight } & Pick<Plan, 'reusedFrom' | 'wordsKept'>> {
  const now = Date.now()
  const { made, ifKept, ...foreseen } = asked
  const nothing = { foreseen, reusedFrom: null, wordsKept: false }
  if (!made) return nothing
  const { engine, files } = made
  const work = video.request.reuse === false ? undefined : await describeWork(video, files)
  const same = work && (await findStanding(env.DB, { accountId, work, engine }, now))
  if (same && (await areStored(env.BUCKET, same.result))) {
    const told = tellStanding(foreseen.results, same)
    const takes = { refusal: null, seconds: none, cpuSeconds: none }
    return { ...nothing, foreseen: { ...foreseen, ...told, ...takes }, reusedFrom: same.id }
  }
  const mayKeep = readSettings(env).keptWordsMs > 0
  const heard =
    ifKept && mayKeep && (await findWords(env, { accountId, engine }, { ...ifKept, now }))
  if (!heard) return nothing
  const { decide, refusal, seconds, cpuSeconds } = ifKept
  const kept = decide
    ? foresight.parse(await again(heard))
    : { ...foreseen, refusal, seconds, cpuSeconds }
  return { ...nothing, foreseen: kept, wordsKept: true }
}

/** How far the jobs for which a new one waits may end from their forecast, as a share of the time. */
const waitingSpread = 0.3

function within(seconds: number): Likely {
  const rounded = (value: number) => Math.round(value * 10) / 10
  return {
    likely: rounded(seconds),
    least: rounded(seconds * (1 - waitingSpread)),
    most: rounded(seconds * (1 + waitingSpread)),
  }
}

type PlanQuestion = { accountId: string; request: CreateVideo } & Pick<Outlook, 'paces'>
type BuildJob = (worker: string) => Promise<MediaJob>

/** Builds the job of a video that is not made, as it would be sent to each media worker. */
async function jobBuilder(
  env: Env,
  { accountId, request, paces }: PlanQuestion,
): Promise<{ build: BuildJob; video: Buildable['video'] }> {
  const settings = readSettings(env)
  const { source, addresses } = await findSource(env, accountId, request, Date.now())
  const asked = { ...request, ...addresses }
  const signed = await signSources(env, settings, { accountId, request: asked })
  if (signed.outcome === 'gone') throw new AppError('Conflict', signed.error.message)
  const id = mintId('v')
  const name = nameVideo(request, id, source?.fileName)
  const found = {
    job: { id: await jobIdFor(settings, id), accountId },
    video: { id, name, request: asked, source: source ?? null },
  }
  const claim = { fence: 1, attempt: 1, paces, sources: signed.sources }
  const build = async (worker: string): Promise<MediaJob> => {
    const { inputs, ...job } = await buildMediaJob(settings, found, { ...claim, worker })
    const sha256 = source?.sha256
    const known = inputs.map((input) =>
      sha256 !== undefined && input.field === source?.field ? { ...input, sha256 } : input,
    )
    return { ...job, inputs: known }
  }
  return { build, video: found.video }
}

const retryAfterSeconds = 5

/** Asks one media worker after another until one has room for a plan. */
async function askForPlan(env: Env, accountId: string, build: BuildJob) {
  const settings = readSettings(env)
  const carrier = httpMediaWorkers(settings)
  const workers = carrier.workers()
  const ask = async (worker: string): Promise<PlanAnswer> =>
    carrier.plan(worker, await build(worker))
  const inContainer = async (): Promise<PlanAnswer> =>
    jobRunner(env, `plans@${accountId}`).plan(await build('container'))
  const ways = workers.length > 0 ? workers.map((worker) => async () => ask(worker)) : [inContainer]
  for (const way of ways) {
    const answer = await way()
    if (typeof answer === 'object') return answer
    if (answer === 'late') {
      const message = 'To look at the sources takes longer than a plan may.'
      throw new AppError('ServiceUnavailable', message, { retryAfterSeconds })
    }
  }
  const message = 'No media worker can make a plan right now.'
  throw new AppError('ServiceUnavailable', message, { retryAfterSeconds })
}

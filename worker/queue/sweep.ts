import { sumUpRefusals } from '../service/limits/refused-strangers.ts'
import { describeError, log } from '../service/log.ts'
import { type Env, readSettings } from '../settings.ts'
import { forgetWords } from '../store/kept-words.ts'
import { forgetExpired } from '../store/forget-expired.ts'
import { sweepArchive } from './sweep-archive.ts'
import { sweepDeliveries } from './sweep-deliveries.ts'
import { sweepJobs } from './sweep-jobs.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { sweepParts } from './sweep-parts.ts'
import { sweepWebhooks } from './sweep-webhooks.ts'
import { measureFill, sayFill, type FillLevel } from '../service/limits/database-fill.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { cancelSome } from '../command/cancel-batch.ts'
import { endBatchIfThrough } from '../service/batches/end-batch.ts'
import { listDueBatches, postponeBatches } from '../store/videos/batches.ts'
import { monthOf, sayAmount } from '../service/limits/budget.ts'
import { sendMail } from '../service/send-mail.ts'
import { ownersOf, takeBudgetNews, type BudgetNews } from '../store/budgets.ts'
import { tightPercent } from '../contract/usage.ts'
import { removeUploadObjects } from '../service/uploads/source-upload.ts'
import { dropExpired, forgetUploads, listExpiredUploads } from '../store/objects/uploads.ts'

type SweepStep = (env: Env, now: number) => Promise<void>

/** The most urgent first: a job that waits matters more than a row or a file that is no longer needed. */
const steps: Record<string, SweepStep> = {
  jobs: sweepJobs,
  webhooks: sweepWebhooks,
  deliveries: sweepDeliveries,
  budgets: sweepBudgets,
  batches: sweepBatches,
  expired: async (env, now) => forgetExpired(env.DB, now),
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

const hourMs = 3_600_000
const said = isolateMemory<{ level: FillLevel; at: number } | undefined>(() => undefined)

/** Warns in the log when the database has passed a level, and every hour for as long as it stays there. */
export async function watchDatabase(env: Env, now: number): Promise<void> {
  const fill = await measureFill(env, now)
  const message = sayFill(fill)
  const { current } = said
  if (message === undefined || (current?.level === fill.level && now < current.at + hourMs)) return
  said.current = { level: fill.level, at: now }
  const { bytes, mostBytes } = fill
  log(fill.level === 'full' ? 'error' : 'warn', 'the database fills up', {
    message,
    bytes,
    mostBytes,
  })
}

/** One tick looks at this many batches at most; the next one continues. */
const batchesPerTick = 50
/** Canceling takes a call for each video, so one tick continues this many at most. */
const canceledPerTick = 5

/** Ends batches whose last video has ended without the batch being told, and goes on with those that are being canceled. */
async function sweepBatches(env: Env, now: number): Promise<void> {
  const due = await listDueBatches(env.DB, now, batchesPerTick)
  const canceled = due.filter(({ canceledAt }) => canceledAt !== null).slice(0, canceledPerTick)
  const others = due.filter(({ canceledAt }) => canceledAt === null)
  for (const { id } of canceled) await attempt(id, async () => cancelSome(env, id))
  for (const { id } of others) await attempt(id, async () => endBatchIfThrough(env, id))
  await postponeBatches(
    env.DB,
    [...canceled, ...others].map(({ id }) => id),
    now,
  )
}

async function attempt(batchId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('error', 'sweep could not look after a batch', { batchId, ...describeError(error) })
  }
}

/** Tells the owners of an account, once in a month each, that its budget is nearly used up, and that it is. */
export async function sweepBudgets(env: Env, now: number): Promise<void> {
  const { prices } = readSettings(env)
  // An account that has used up its budget is not warned first that it soon will have.
  for (const percent of [100, tightPercent]) {
    const news = await takeBudgetNews(env.DB, { month: monthOf(now), percent, prices })
    for (const one of news) await tell(env, one, percent)
  }
}

async function tell(env: Env, { accountId, budget, name }: BudgetNews, percent: number) {
  log('warn', 'an account nears the end of its budget', { accountId, percent, budget })
  const isOver = percent === 100
  const limit = sayAmount(budget)
  const subject = isOver
    ? 'Your budget at Spool is used up'
    : `${percent} % of your budget at Spool are used`
  const then = isOver
    ? 'New videos are refused until the next month begins. Those that were accepted are still made.'
    : 'When all of it is used, new videos are refused until the next month begins.'
  const text = `The account ${name ?? accountId} has used ${isOver ? 'all' : `${percent} %`} of its budget of ${limit} for this month. ${then}\n\n${readSettings(env).baseUrl}/app/usage shows what was used.\n`
  for (const to of await ownersOf(env.DB, accountId)) await sendMail(env, { to, subject, text })
}

/** One tick removes this many uploads at most; the next one continues. */
const uploadsPerTick = 200

/** Removes uploads that did not become a video in time, and their objects. */
async function sweepUploads(env: Env, now: number): Promise<void> {
  const expired = await listExpiredUploads(env.DB, now, uploadsPerTick)
  const ids = expired.map(({ id }) => id)
  // The objects of a used upload are removed with its video; the row only said that the upload is taken.
  const over = expired.filter(({ status }) => status === 'used').map(({ id }) => id)
  for (const upload of await dropExpired(env.DB, ids, now)) {
    const uploadId = upload.id
    try {
      await removeUploadObjects(env, upload)
      over.push(uploadId)
    } catch (error) {
      log('error', 'sweep could not remove an upload', { uploadId, ...describeError(error) })
    }
  }
  await forgetUploads(env.DB, over)
}

import { runDurableObjectAlarm } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import kept from '../../../bench/model/measured/steps.json' with { type: 'json' }
import { aClient } from '../../support/worker/accounts.ts'
import { Attempt, aTrace, finalText } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { CostCounter, each, type Costs } from '../../support/worker/platform/count-costs.ts'
import { ringSlots, settleSlots } from '../../support/worker/dispatcher.ts'
import { aVideo, start } from '../../support/worker/videos.ts'
import {
  endpointOf,
  eventOf,
  handOut,
  hooksUrl,
  standInReceivers,
} from '../../support/worker/webhooks.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { tick } from '../../support/worker/tick.ts'
import { busy, taken } from '../../support/worker/media-workers.ts'

const { media, queue } = standInForAll()
standInReceivers()

const asked = { webhookUrl: hooksUrl }
const day = 86_400
const videos = 10
/** Some of what a sweep does comes every ten minutes. */
const sweeps = 10

/** With every phase of a render: the database adds up their processor time. */
const phases = ['fetching', 'measuring', 'rendering', 'uploading'] as const
const wholeTrace = {
  ...aTrace,
  phases: phases.map((name) => ({ ...aTrace.phases[0], name })),
}

/** What each step uses. */
const measured: Record<string, Costs> = {}
let counter: CostCounter
/** A sweep that has nothing to do, at the time of day at which those of the archive are counted. */
let idle: Costs

async function measure<Value>(step: string, work: () => Promise<Value>): Promise<Value> {
  const done: Value[] = []
  measured[step] = await counter.of(async () => done.push(await work()))
  return done[0] as Value
}

async function finishOne(client: Client): Promise<void> {
  const { attempt } = await start(await aVideo(client, asked))
  await attempt.finish()
  await heard(client)
}

async function heard(client: Client): Promise<void> {
  await handOut(queue.current.deliveries.pop() ?? '')
  await endpointOf(client).settled()
}

it('what each step of a job uses is what the model of the service counts with', async () => {
  // What an account uses is kept by the day, and none may begin between two steps.
  advanceSeconds(day + day / 2 - ((Date.now() / 1000) % day))
  const client = await aClient()
  await client.get('/v1/videos')
  // The first video of an account, and the first of its days, begin rows that all others add to.
  await finishOne(client)
  await tick()
  counter = await CostCounter.begin(queue.current)
  await measureJob(client)
  // Its client waits for a create.
  expect(measured['create']?.rowsWritten).toBeLessThanOrEqual(8)
  await measureLine(client)
  await measureArchive(client)
  const bytes = await measureBytes(client)
  const file = '../../../bench/model/measured/steps.json'
  const lines = Object.entries(measured).map(([step, costs]) => {
    const used = Object.entries(costs).filter(([, count]) => count !== 0)
    return `    ${JSON.stringify(step)}: ${JSON.stringify(Object.fromEntries(used))}`
  })
  const text = `{\n  "steps": {\n${lines.join(',\n')}\n  },\n  "bytes": ${JSON.stringify(bytes)}\n}\n`
  await expect(text).toMatchFileSnapshot(file)
})

async function measureJob(client: Client): Promise<void> {
  const created = await measure('create', async () => aVideo(client, asked))
  const read = async () => client.get(`/v1/videos/${created.videoId}`)
  await measure('read, waiting', read)
  const { attempt } = await measure('start', async () => start(created))
  await attempt.progress(1, 'fetching')
  await measure('report', async () => attempt.progress(2, 'fetching'))
  const files = [{ field: 'fileUrl', sha256: 'f'.repeat(64) }]
  await measure('fetched', async () => attempt.report({ type: 'fetched', engine: 'one', files }))
  await measure('phase', async () => attempt.progress(10, 'rendering'))
  await measure('read, running', read)
  advanceSeconds(50)
  await measure('alarm', async () => runDurableObjectAlarm(jobRunner(bindings, created.jobId)))
  const written = await measure('upload', async () => attempt.upload('final', finalText))
  await measure('end', async () => attempt.succeed([written], { trace: wholeTrace }))
  await measure('webhook', async () => heard(client))
  const { json } = await measure('read, ended', read)
  const { pathname, search } = new URL(String(json['finalVideoUrl']))
  await measure('download', async () => send(pathname + search))
  advanceSeconds(3_601)
  await measure('forget', async () => runDurableObjectAlarm(jobRunner(bindings, created.jobId)))
  await tick()
  idle = await counter.of(tick)
  const some = await counter.of(async () => {
    for (let minute = 0; minute < sweeps; minute++) {
      advanceSeconds(60)
      await tick()
    }
  })
  measured['sweep'] = each(some, sweeps)
}

/** The first job of these finds no slot; the second is told to wait. Then both are called. */
async function measureLine(client: Client): Promise<void> {
  media.current.takeJob = busy
  const [first, second] = [await aVideo(client), await aVideo(client)]
  await queue.current.deliverNext(first.jobId)
  await settleSlots()
  await measure('wait', async () => queue.current.deliverNext(second.jobId))
  media.current.takeJob = taken
  advanceSeconds(15)
  const both = await counter.of(ringSlots)
  measured['called'] = each(both, 2)
  const attempt = new Attempt(media.current.lastJob(first.jobId))
  await measure('attempt failed', async () => attempt.fail())
  queue.current.sent.length = 0
}

/** Videos whose files expire, and which leave the database for the archive. */
async function measureArchive(client: Client): Promise<void> {
  for (let i = 0; i < videos; i++) await finishOne(client)
  // With the two that ended before.
  const leaving = videos + 2
  for (const [step, days] of [
    ['files expire', 31],
    ['archived', 60],
  ] as const) {
    advanceSeconds(days * day)
    measured[step] = asKept(step, each(await counter.of(tick), leaving, idle))
  }
}

/**
 * Several writes to the archive are under way at once, and how many rows each reads depends on which comes first: up to
 * one row in a hundred. A figure that is so near to the kept one counts as the same.
 */
function asKept(step: string, costs: Costs): Costs {
  const known = (kept.steps as Record<string, Partial<Costs>>)[step]?.rowsRead ?? 0
  const isNear = Math.abs(known - costs.rowsRead) <= 0.01 * known
  return isNear ? { ...costs, rowsRead: known } : costs
}

/** How much the database grows by a finished video, and by the log of its webhook. */
async function measureBytes(client: Client): Promise<Record<string, number>> {
  const { videoId, jobId, attempt } = await start(await aVideo(client, asked))
  await attempt.finish()
  await heard(client)
  const { webhookId } = await eventOf(videoId)
  return {
    'a finished video': await bytesOf([
      ['videos', 'id', videoId],
      ['jobs', 'id', jobId],
      ['job_attempts', 'job_id', jobId],
    ]),
    'its webhook': await bytesOf([
      ['webhook_events', 'id', webhookId],
      ['webhook_deliveries', 'event_id', webhookId],
    ]),
  }
}

/** Of one row in each of these tables, from hundreds like it with ids of their own. */
async function bytesOf(rows: readonly (readonly [string, string, string])[]): Promise<number> {
  const copies = 400
  const before = await databaseBytes()
  for (const [table, column, value] of rows) {
    const { results } = await bindings.DB.prepare(`PRAGMA table_info(${table})`).all<{
      name: string
    }>()
    const names = results.map(({ name }) => name)
    const values = names.map(ofCopy)
    await bindings.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
       INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM n JOIN ${table} ON ${column} = ?`,
    )
      .bind(value)
      .run()
  }
  return Math.round(((await databaseBytes()) - before) / copies)
}

/** What makes a row another one, as long as the first. */
function ofCopy(column: string): string {
  // Far from the other videos of the account, which ended within the same second.
  if (column === 'ended_order') return `${column} - 1000000 - n.i`
  const isOwn = /(^|_)id$/.test(column) && column !== 'account_id'
  return isOwn ? `substr(${column}, 1, length(${column}) - 4) || printf('%04d', n.i)` : column
}

async function databaseBytes(): Promise<number> {
  return (await bindings.DB.prepare('SELECT 1').all()).meta.size_after
}

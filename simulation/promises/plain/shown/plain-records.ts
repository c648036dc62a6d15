import type { Database } from '../../../platform/database.ts'
import type { Plainly } from '../plain-parts.ts'

type Row = {
  id: string
  jobId: string
  createdAt: number
  updatedAt: number
  startedAt: number | null
  finishedAt: number
  filesEndAt: number
  sourceEndsAt: number | null
  reason: string | null
  message: string | null
  reusedFrom: string | null
  result: string | null
  transcriptStatus: string
}
type Attempt = {
  attempt: number
  startedAt: number
  finishedAt: number | null
  outcome: string
  phases: string | null
}
type Shown = Record<'attempt' | 'startedAt' | 'finishedAt' | 'outcome' | 'phases', unknown>

const most = 12
const weekMs = 7 * 86_400_000
const columns = `v.id, j.id AS jobId, v.created_at AS createdAt, v.updated_at AS updatedAt, j.started_at AS startedAt,
  j.finished_at AS finishedAt, v.files_expire_at AS filesEndAt, iif(v.source_deleted_at IS NULL, v.source_expires_at, NULL) AS sourceEndsAt,
  j.error ->> '$.reason' AS reason, v.error_message AS message, v.result ->> '$.reusedFrom' AS reusedFrom,
  v.result, v.transcript_status AS transcriptStatus`
/** What of a result its record tells as it is kept. */
const toldAsKept = ['videoMetadata', 'removed', 'suggestions', 'moments', 'covered', 'reframed']

/** What records tell of times, of attempts, and of ends is what their rows say. */
export async function judgeRecords(parts: Plainly): Promise<void> {
  await judgeVideos(parts)
  await judgeDeliveries(parts)
  await judgeBatches(parts)
}

async function judgeVideos({ own, account, database, world }: Plainly): Promise<void> {
  const ended = database.read(
    'SELECT id FROM videos WHERE account_id = ? AND finished_at IS NOT NULL ORDER BY created_at DESC LIMIT ?',
    ...[account.accountId, most],
  )
  for (const id of ended.map((row) => String(row['id']))) {
    const before = rowOf(database, id)
    const video = (await own.ask(['GET', `/v1/videos/${id}`]))?.text
    const job = (await own.ask(['GET', `/v1/jobs/${before?.jobId ?? ''}`]))?.text
    // Its customer may change or delete it at this moment.
    const row = rowOf(database, id)
    if (!row || row.updatedAt !== before?.updatedAt) continue
    const [told, toldOfJob] = [video, job].map((text) => JSON.parse(text ?? '{}') as object)
    const { warnings = [] as unknown[], ...result } = resultOf(row)
    const files = 'finalVideoUrl' in (told ?? {}) && ofFiles(row)
    const fromRow = { ...ofVideo(row), ...result, ...files }
    own.same(`the record of ${id}`, { ...told, ...fromRow }, told)
    const { warnings: shown = [] } = told as { warnings?: unknown[] }
    const untold = (warnings as unknown[]).filter((one) => !shown.includes(one))
    own.same(`whether the links of ${id} end in time`, endInTime(told, world.loop.wall), true)
    own.same(`the warnings that the record of ${id} lacks`, untold, [])
    own.same(`the job of ${id}`, { ...toldOfJob, ...ofJob(row) }, toldOfJob)
    // The attempt that has made the result of another video is told too.
    if (row.reusedFrom !== null) continue
    const { attempts = [] } = toldOfJob as { attempts?: Shown[] }
    own.same(`the attempts at ${id}`, attempts.map(shownOf), attemptsOf(database, row.jobId))
  }
}

function rowOf(database: Database, id: string): Row | undefined {
  const sql = `SELECT ${columns} FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE v.id = ?`
  return database.read<Row>(sql, id)[0]
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms))

function ofVideo(row: Row): Record<string, unknown> {
  const { startedAt, finishedAt, sourceEndsAt, reason, message, reusedFrom } = row
  return {
    ...{ createdAt: timeOf(row.createdAt), lastUpdatedAt: timeOf(row.updatedAt) },
    ...(startedAt !== null && { secondsElapsed: secondsOf(finishedAt - startedAt) }),
    ...(sourceEndsAt !== null && { sourceExpiresAt: timeOf(sourceEndsAt) }),
    ...(reason !== null && { reason }),
    ...(message !== null && { errorMessage: message }),
    ...(reusedFrom !== null && { reusedFrom }),
  }
}

const secondsOf = (ms: number): number => Math.max(0, Math.round((ms / 1000) * 10) / 10)

/** A link is good for a week at most, and for no longer than its file is kept. */
function endInTime(told: object | undefined, now: number): boolean {
  const { linksExpireAt, filesExpireAt } = told as Record<string, string | undefined>
  if (linksExpireAt === undefined) return true
  const end = Date.parse(linksExpireAt)
  return end <= now + weekMs && end <= Date.parse(filesExpireAt ?? linksExpireAt)
}

/** What was made of it. */
function resultOf({ result, transcriptStatus }: Row): Record<string, unknown> {
  const kept = (JSON.parse(result ?? '{}') ?? {}) as Record<string, unknown>
  const told = toldAsKept.flatMap((name) => (kept[name] ? [[name, kept[name]] as const] : []))
  const hasTranscript = transcriptStatus !== 'not_requested' && transcriptStatus !== 'failed'
  const { warnings } = kept
  return { ...Object.fromEntries(told), hasTranscript, ...(warnings !== undefined && { warnings }) }
}

function ofFiles({ filesEndAt }: Row): Record<string, unknown> {
  return { filesExpireAt: timeOf(filesEndAt) }
}

function ofJob({ createdAt, startedAt, finishedAt, updatedAt }: Row): Record<string, unknown> {
  return {
    ...{ createdAt: timeOf(createdAt), startedAt: timeOrNull(startedAt) },
    ...{ finishedAt: timeOf(finishedAt), lastUpdatedAt: timeOf(updatedAt) },
  }
}

function attemptsOf(database: Database, jobId: string): Shown[] {
  const sql = `SELECT attempt, started_at AS startedAt, finished_at AS finishedAt, outcome, trace ->> '$.phases' AS phases
    FROM job_attempts WHERE job_id = ? ORDER BY fence`
  return database.read<Attempt>(sql, jobId).map(({ startedAt, finishedAt, phases, ...row }) => ({
    ...{ attempt: row.attempt, startedAt: timeOf(startedAt), finishedAt: timeOrNull(finishedAt) },
    ...{ outcome: row.outcome, phases: JSON.parse(phases ?? '[]') as unknown },
  }))
}

const shownOf = ({ attempt, startedAt, finishedAt, outcome, phases }: Shown): Shown => ({
  ...{ attempt, startedAt, finishedAt, outcome, phases },
})

type Delivery = Record<
  'webhookId' | 'videoId' | 'type' | 'url' | 'endpointId' | 'status',
  unknown
> & {
  attempts: string
  createdAt: number
  dueAt: number | null
}

/** What is on its way changes while it is read. */
async function judgeDeliveries({ own, database }: Plainly): Promise<void> {
  const { data } = await own.expect(200, ['GET', `/v1/webhooks/deliveries?limit=${most}`])
  for (const told of data as { deliveryId: string; status: string }[]) {
    const [row] = database.read<Delivery>(
      `SELECT d.event_id AS webhookId, nullif(e.video_id, '') AS videoId, e.type, d.url, d.endpoint_id AS endpointId, d.status,
        d.attempts, d.created_at AS createdAt, d.due_at AS dueAt
       FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id WHERE d.id = ?`,
      told.deliveryId,
    )
    if (!row || row.status === 'pending' || told.status === 'pending') continue
    const { attempts, createdAt, dueAt, ...rest } = row
    const times = { createdAt: timeOf(createdAt), nextAttemptAt: timeOrNull(dueAt) }
    const fromRow = { ...rest, attempts: JSON.parse(attempts) as unknown, ...times }
    own.same(`the delivery ${told.deliveryId}`, { ...told, ...fromRow }, told)
  }
}

type Batch = Record<'createdAt' | 'videos', number> &
  Record<'canceledAt' | 'endedAt', number | null>

async function judgeBatches({ own, database }: Plainly): Promise<void> {
  const { data } = await own.expect(200, ['GET', `/v1/batches?limit=${most}`])
  for (const told of data as { batchId: string; counts: Record<string, number> }[]) {
    const [row] = database.read<Batch>(
      `SELECT created_at AS createdAt, canceled_at AS canceledAt, ended_at AS endedAt, json_array_length(video_ids) AS videos
       FROM batches WHERE id = ?`,
      told.batchId,
    )
    if (!row?.endedAt) continue
    const { createdAt, canceledAt, endedAt, videos } = row
    const counted = Object.values(told.counts).reduce((sum, n) => sum + n, 0)
    own.same(`how many videos ${told.batchId} counts`, counted, videos)
    const fromRow = {
      ...{ status: 'ended', total: videos, createdAt: timeOf(createdAt), endedAt: timeOf(endedAt) },
      ...(canceledAt !== null && { canceledAt: timeOf(canceledAt) }),
    }
    own.same(`the batch ${told.batchId}`, { ...told, ...fromRow }, told)
  }
}

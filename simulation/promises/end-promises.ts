import type { Order } from '../actors/customer.ts'
import { lostUrl, plainHost, type Received } from '../actors/receivers.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'
import { isFileOfOthers } from './watch/watch-files.ts'
import { isListenedTo } from './step-promises.ts'
import type { Judged } from './judged.ts'
import { judgeKept } from './kept-promises.ts'
import { judgeNames } from './names-promises.ts'
import { judgeEvents } from './record-promises.ts'
import { judgeUploads } from './upload-promises.ts'

/** By how much clocks may have been stepped. */
const clockMs = 3_600_000
/** An attempt takes a quarter of a minute, and its result may be reported late. */
const underWayMs = 120_000

/** A few hours after the last fault: everything that was accepted has ended. */
export function judgeJobs({ world, database, containers, orders }: Judged): void {
  const open = database.read(
    "SELECT v.id, v.status FROM videos AS v WHERE v.status IN ('queued', 'running')",
  )
  for (const { id, status } of open) world.break(`${String(id)} is still ${String(status)}`)
  for (const order of orders) judgeOrder(world, database, order)
  const attempts = database.read('SELECT job_id FROM job_attempts AS a WHERE finished_at IS NULL')
  for (const { job_id: id } of attempts) world.break(`${String(id)} has an attempt without an end`)
  for (const { name } of containers?.running ?? [])
    world.break(`every job has ended, and the container ${name} still runs`)
}

function judgeOrder(world: World, database: Database, order: Order): void {
  const { videoId, name } = order
  if (videoId === undefined) return
  if (!order.isOver) world.break(`${name} still waits for ${videoId}`)
  const [row] = database.read('SELECT status, account_id FROM videos WHERE id = ?', videoId)
  if (order.wasDeleted) {
    if (row) world.break(`${name}: ${videoId} was deleted and is still there`)
    return
  }
  // An archived video has left the database; another check reads the archive.
  if (!row) return
  const { status, account_id: accountId } = row
  if (accountId !== order.account.accountId) world.break(`${videoId} belongs to another account`)
  if (order.wasCanceled && status !== 'canceled') {
    world.break(`${name}: a cancel was answered 200, and ${videoId} is ${String(status)}`)
  }
  const doubles = database.read('SELECT id FROM videos WHERE name = ?', name)
  if (doubles.length > 1) world.break(`${name}: one order made ${doubles.length} videos`)
}

/** Two days after the last fault: nothing is left behind. */
export function judgeRest(judged: Judged): void {
  judgeObjects(judged)
  judgeUploads(judged)
  judgeKept(judged)
  judgeNames(judged)
  judged.usage.judge(judged.world, judged.bucket)
  judgeMemory(judged)
}

/** Two days after the last fault: every event was delivered or given up. */
export function judgeDeliveries({ world, database, receivers, orders }: Judged): void {
  const heard = new Set(
    receivers.received.flatMap(({ id, url, status = 0 }) =>
      status >= 200 && status < 300 ? [`${id} ${url}`] : [],
    ),
  )
  const sent = Map.groupBy(receivers.received, ({ id, url }) => `${id} ${url}`)
  const rows = database.read(
    `SELECT d.id, d.event_id AS eventId, d.url, d.status, d.attempt_count - d.round_start AS attempts, d.attempts AS log,
      d.attempt_count AS count, e.type
     FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id`,
  )
  for (const { id, eventId, url, status, attempts, count, type } of rows) {
    const name = `the delivery ${String(id)}`
    const isHeard = heard.has(`${String(eventId)} ${String(url)}`)
    const times = sent.get(`${String(eventId)} ${String(url)}`)?.length ?? 0
    if (times > Number(count)) {
      world.break(`${name} was sent ${times} times, and counts ${String(count)} attempts`)
    }
    if (status === 'pending') world.break(`${name} is still pending`)
    if (status === 'succeeded' && !isHeard) world.break(`${name} succeeded, and nobody heard it`)
    const most = type === 'webhook.test' ? 1 : 8
    if (status === 'exhausted' && Number(attempts) < most && url !== lostUrl) {
      world.break(`${name} was given up after ${String(attempts)} attempts`)
    }
  }
  judgeLogs(world, rows, sent)
  judgeEvents({ world, receivers, orders })
  judgeRedeliveries(rows, { receivers, orders, world })
  judgePromptness(world, database)
  for (const [type, since] of [
    ['video.', 'v.finished_at'],
    ['destinations.', "v.result ->> '$.deliveries'"],
  ] as const) {
    const untold = database.read(
      `SELECT v.id FROM videos AS v WHERE ${isListenedTo} AND ${since} IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM webhook_events AS e WHERE e.video_id = v.id AND e.type LIKE '${type}%')`,
    )
    for (const { id } of untold) world.break(`${String(id)} has no event ${type}…`)
  }
}

/** The log of a delivery tells what its receiver has answered, and nothing else. */
function judgeLogs(
  world: World,
  rows: readonly Record<string, unknown>[],
  sent: ReadonlyMap<string, readonly Received[]>,
): void {
  const places = new Set<string>()
  for (const { id, eventId, url, log } of rows) {
    const place = `${String(eventId)} ${String(url)}`
    // At that host, addresses change while deliveries are under way.
    if (String(url).includes(plainHost)) continue
    if (places.has(place)) world.break(`${String(eventId)} has two deliveries to ${String(url)}`)
    places.add(place)
    const answers = (sent.get(place) ?? []).flatMap(({ status }) => status ?? [])
    const told = (JSON.parse(String(log)) as { statusCode: number | null }[]).flatMap(
      ({ statusCode }) => statusCode ?? [],
    )
    const rest = told.toReversed()
    for (const status of answers.toReversed()) if (rest[0] === status) rest.shift()
    if (rest.length > 0) {
      world.break(
        `the log of ${String(id)} tells ${told.join()}, and the answers were ${answers.join()}`,
      )
    }
  }
}

/** A redelivery that was asked for was sent since; an attempt that was under way counts too. */
function judgeRedeliveries(
  rows: readonly Record<string, unknown>[],
  { receivers, orders, world }: Pick<Judged, 'receivers' | 'orders' | 'world'>,
): void {
  for (const { redelivered, name } of orders) {
    const row = rows.find(({ id }) => id === redelivered?.deliveryId)
    if (!row || !redelivered) continue
    const log = JSON.parse(String(row['log'])) as { at: string; redelivery: boolean }[]
    const later = log.filter(({ at }) => Date.parse(at) > redelivered.wall + underWayMs)
    // The log has times of clocks that a step has changed.
    const isTimed = world.faults.lastOf('clock steps') === 0
    const isSecond = log.some(({ at }) => Date.parse(at) < redelivered.wall)
    if (isTimed && isSecond && later.some(({ redelivery }) => !redelivery)) {
      world.break(`${name}: a webhook that was sent once more goes on with the attempts of before`)
    }
    if (row['status'] !== 'succeeded') continue
    const isSent = receivers.received.some(
      ({ id, at }) => id === row['eventId'] && at > redelivered.at - underWayMs,
    )
    if (!isSent) world.break(`${name}: a webhook was to be sent once more, and was not`)
  }
}

/** Hours after undisturbed videos, nothing unneeded is left. The daily sweep removes what failed attempts stored. */
export function judgeFresh(judged: Judged, since: number): void {
  const { world, database, bucket } = judged
  judgeCalmDeliveries(judged, since)
  const rows = database.read(
    `SELECT v.id, coalesce(result, '') || coalesce(transcript, '') AS refers FROM videos AS v JOIN jobs AS j ON j.video_id = v.id
     WHERE v.created_at > ? AND j.finished_at IS NOT NULL AND j.attempts <= 1
       AND NOT EXISTS (SELECT 1 FROM job_attempts AS a WHERE a.job_id = j.id AND a.outcome = 'failed')`,
    since,
  )
  const fresh = new Map(rows.map(({ id, refers }) => [String(id), String(refers)]))
  for (const key of bucket.objects.keys()) {
    const [folder, id = ''] = key.split('/')
    const refers = fresh.get(id)
    const isNamed = refers?.includes(`"${key}"`) ?? true
    if (folder === 'videos' && !isNamed && !isFileOfOthers(database, id)) {
      world.break(`the object ${key} has stayed, and its row does not name it`)
    }
  }
}

/** A bucket that works gets its file soon. The one that is gone in some worlds is retried for hours. */
function judgeCalmDeliveries({ world, database }: Judged, since: number): void {
  const waiting = database.read<{ id: string; deliveries: string }>(
    `SELECT v.id, v.result ->> '$.deliveries' AS deliveries FROM undelivered AS u JOIN videos AS v ON v.id = u.video_id
     WHERE u.created_at > ? AND u.created_at < ?`,
    since,
    world.loop.wall - 600_000,
  )
  for (const { id, deliveries } of waiting) {
    if (!deliveries.includes('"ben"')) world.break(`${id} has not been delivered in ten minutes`)
  }
}

/** Since the last fault every event was sent at once; without a message the sweep would send it after minutes. */
function judgePromptness(world: World, database: Database): void {
  const lastAt = Math.max(world.faults.lastAt, world.faults.lastOf('queue refuses'))
  const calmSince = lastAt - world.now + world.loop.wall + 3_600_000
  const late = database.read(
    `SELECT id FROM webhook_deliveries WHERE created_at > ? AND attempts ->> '$[0].at' IS NOT NULL
     AND attempt_count = json_array_length(attempts) AND unixepochOf(attempts ->> '$[0].at') > round_at + 30000`,
    calmSince,
  )
  for (const { id } of late) world.break(`the delivery ${String(id)} was sent late`)
}

function judgeObjects({ world, database, bucket, orders }: Judged): void {
  const rows = database.read(
    "SELECT id, coalesce(files_of, id) AS owner, coalesce(result, '') || coalesce(source, '') || coalesce(transcript, '') AS refers FROM videos",
  )
  const known = new Map(rows.map((row) => [String(row['id']), row]))
  const users = Map.groupBy(rows, ({ owner }) => String(owner))
  const staying = [...bucket.objects.keys()].filter(notBuried(database, bucket))
  for (const key of staying) {
    const [folder, id = ''] = key.split('/')
    if (folder === 'archive' || folder === 'uploads') continue
    const row = known.get(id)
    // A trace goes with its video.
    const isNeeded =
      folder === 'traces'
        ? row || isArchived(bucket, id)
        : users.get(id)?.some(({ refers }) => key.endsWith('/gone') || String(refers).includes(key))
    if (!isNeeded) world.break(`the object ${key} is left over`)
  }
  for (const { result } of database.read(
    "SELECT result FROM videos WHERE status = 'succeeded' AND files_deleted_at IS NULL",
  )) {
    type File = { key: string; sizeBytes: number }
    const { outputs } = JSON.parse(String(result)) as { outputs: Record<string, File> }
    for (const { key, sizeBytes } of Object.values(outputs)) {
      const stored = bucket.objects.get(key)?.bytes.length
      if (stored === undefined) world.break(`the object ${key} is missing`)
      else if (stored !== sizeBytes)
        world.break(`the object ${key} has ${stored} bytes, and its row tells ${sizeBytes}`)
    }
  }
  for (const { videoId, jobId = '', wasDeleted } of orders) {
    if (videoId === undefined || !wasDeleted) continue
    const isShared = isFileOfOthers(database, videoId)
    const left = staying.filter(
      (key) => key.includes(videoId) && !(isShared && key.startsWith('videos/')),
    )
    if (left.length > 0) world.break(`${videoId} was deleted, and ${left.join()} stayed`)
    judgeDeleted(world, database, { videoId, jobId })
  }
  const tombs = database.read(
    'SELECT prefix FROM tombstones WHERE list_after < ?',
    world.loop.wall - 2 * 3_600_000,
  )
  for (const { prefix } of tombs) world.break(`the tombstone of ${String(prefix)} was not settled`)
}

/**
 * An object written after its prefix was emptied is removed when the last address for that prefix has expired, which is after
 * the end of a history.
 */
function notBuried(database: Database, bucket: Bucket): (key: string) => boolean {
  const tombs = database.read<{ prefix: string; at: number }>(
    'SELECT prefix, created_at AS at FROM tombstones',
  )
  return (key) => {
    const cameAt = bucket.objects.get(key)?.uploaded.getTime() ?? Infinity
    return !tombs.some(({ prefix, at }) => key.startsWith(prefix) && cameAt > at - clockMs)
  }
}

/** The database keeps the log of a deleted video's webhooks, without its transcript. */
function judgeDeleted(
  world: World,
  database: Database,
  { videoId, jobId }: { videoId: string; jobId: string },
): void {
  const rows = database.read(
    `SELECT 'its job' AS what FROM jobs WHERE video_id = ?1 OR id = ?2
     UNION ALL SELECT 'an attempt' FROM job_attempts WHERE job_id = ?2
     UNION ALL SELECT 'what was heard in it' FROM kept_words WHERE video_id = ?1
     UNION ALL SELECT 'its words' FROM webhook_events WHERE video_id = ?1 AND instr(body, 'words of ') > 0`,
    videoId,
    jobId,
  )
  for (const { what } of rows) world.break(`${videoId} was deleted, and ${String(what)} stayed`)
}

function isArchived(bucket: Bucket, videoId: string): boolean {
  return [...bucket.objects.keys()].some((key) => key.endsWith(`/videos/${videoId}.json`))
}

/** Objects of jobs that ended long ago have emptied their storage. */
function judgeMemory({ world, deployment }: Judged): void {
  for (const name of ['JOB_RUNNER', 'WEBHOOK_ENDPOINT', 'COURIER'] as const) {
    for (const [id, cell] of deployment.objects[name].cells) {
      const { kept } = cell.storage
      // An object whose job had ended when the platform gave up its alarm is never called again.
      if (kept.length > 0 && !cell.isGivenUp)
        world.break(`${name} ${id} still keeps ${kept.join()}`)
    }
  }
  if (deployment.waitingMessages > 0) world.break('messages are still in the queues')
}

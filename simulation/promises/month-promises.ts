import type { Judged } from './judged.ts'
import { isFileOfOthers } from './watch/watch-files.ts'

const dayMs = 86_400_000
const logKeptMs = 30 * dayMs
/** By then the sweep comes only once a day. */
const sweptWithinMs = 2 * dayMs

/** The tables whose rows expire by a column of their own. */
const ending = [
  ...['idempotency_keys', 'batches', 'admin_nonces', 'sessions', 'attempts', 'invitations'],
  'one_time_tokens',
]

/** More than a month after the last order, the log of webhooks is empty, and nothing is left of a deleted video. */
export function judgeMonth({ world, database, bucket, orders }: Judged): void {
  const before = world.loop.wall - sweptWithinMs
  const stale: Record<string, readonly [sql: string, before: number]> = {
    'the tombstone of': [
      'SELECT prefix AS id FROM tombstones WHERE created_at < ?',
      before - 7 * dayMs,
    ],
    'the delivery': [
      'SELECT id FROM webhook_deliveries WHERE finished_at IS NOT NULL AND created_at < ?',
      before - logKeptMs,
    ],
    'the event': ['SELECT id FROM webhook_events WHERE created_at < ?', before - logKeptMs],
    'the files of': [
      'SELECT id FROM videos WHERE files_deleted_at IS NULL AND files_expire_at < ?',
      before,
    ],
  }
  for (const [what, [sql, since]] of Object.entries(stale)) {
    for (const { id } of database.read(sql, since)) {
      world.break(`${what} ${String(id)} is still there a month later`)
    }
  }
  for (const table of ending) {
    const [row] = database.read(`SELECT count(*) AS n FROM ${table} WHERE expires_at < ?`, before)
    if (row?.['n'] !== 0) world.break(`${String(row?.['n'])} of ${table} are still there`)
  }
  judgeFiles({ world, database, bucket })
  const deleted = new Set(
    orders.flatMap(({ videoId, wasDeleted }) => (wasDeleted && videoId ? [videoId] : [])),
  )
  for (const key of bucket.objects.keys()) {
    const videoId = /\bv_\w+/.exec(key)?.[0] ?? ''
    if (key.startsWith('videos/') && isFileOfOthers(database, videoId)) continue
    if (deleted.has(videoId)) world.break(`${videoId} was deleted, and ${key} stayed for a month`)
  }
}

/** Each file that is left belongs to a row. Videos that share files may expire at the same time. */
function judgeFiles({ world, database, bucket }: Pick<Judged, 'world' | 'database' | 'bucket'>) {
  const sql = 'SELECT coalesce(files_of, id) AS id FROM videos WHERE files_deleted_at IS NULL'
  const kept = new Set(database.read(sql).map(({ id }) => String(id)))
  for (const key of bucket.objects.keys()) {
    const [folder, id = ''] = key.split('/')
    if (folder === 'videos' && !kept.has(id))
      world.break(`the object ${key} is still there a month later`)
  }
}

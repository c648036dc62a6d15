import { isHarmful } from '../engine/faults.ts'
import type { Judged } from './judged.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The sweep comes once an hour in calm days, and several steps follow each other. */
const sweptWithinMs = 3 * hourMs

/** What has expired is said to be gone soon, also if other videos keep it. */
export function judgeExpired({
  world,
  database,
  isSweepless,
}: Pick<Judged, 'world' | 'database'> & { isSweepless: boolean }): void {
  if (isSweepless) return
  const sql = 'SELECT id FROM videos WHERE files_expire_at < ? AND files_deleted_at IS NULL'
  for (const { id } of database.read(sql, world.loop.wall - sweptWithinMs))
    world.break(`the files of ${String(id)} have expired, and its row does not say so`)
}

/** Expired objects are gone, and every kept one has the content that was sent. */
export function judgeKept({ world, database, bucket, promises }: Judged): void {
  const before = world.loop.wall - sweptWithinMs
  const stale: Record<string, string> = {
    'the files of': 'SELECT id FROM videos WHERE files_expire_at < ? AND files_deleted_at IS NULL',
    'the source of': `SELECT id FROM videos WHERE source_expires_at < ? AND source IS NOT NULL AND source_deleted_at IS NULL`,
    'the key': 'SELECT idempotency_key AS id FROM idempotency_keys WHERE expires_at < ?',
    'what was heard in': 'SELECT video_id AS id FROM kept_words WHERE expires_at < ?',
    'the order to deliver': 'SELECT video_id AS id FROM undelivered WHERE created_at < ?',
    'the record of': `SELECT v.id FROM videos AS v JOIN accounts AS a ON a.id = v.account_id
      WHERE max(v.files_deleted_at, v.finished_at + a.archive_after_days * ${dayMs}, v.updated_at,
        coalesce(v.source_deleted_at, 0)) < ?
      AND NOT EXISTS (SELECT 1 FROM webhook_events AS e JOIN webhook_deliveries AS d ON d.event_id = e.id
        WHERE e.video_id = v.id AND (d.finished_at IS NULL OR d.finished_at > ?1))`,
  }
  for (const [what, sql] of Object.entries(stale)) {
    for (const { id } of database.read(sql, before)) {
      world.break(`${what} ${String(id)} is still there long after its time`)
    }
  }
  for (const [key, { bytes }] of bucket.objects) {
    const [folder, , , fence = ''] = key.split('/')
    // The last line of a transcript.
    const text = new TextDecoder().decode(bytes).replace(/"(,"speaker":"[^"]*")?\}\]\}$|\n$/, '')
    if (
      folder === 'videos' &&
      !key.endsWith('/gone') &&
      !text.endsWith(` made at fence ${fence}`)
    ) {
      world.break(`the object ${key} has other bytes than those that were sent: ${text}`)
    }
  }
  judgeUnfinished({ world, bucket, database, promises })
}

/** Each source that is under way has a row. An output that was begun may be lost with the object of its job. */
function judgeUnfinished({
  world,
  bucket,
  database,
  promises,
}: Pick<Judged, 'world' | 'bucket' | 'database' | 'promises'>): void {
  const rows = new Set(database.read('SELECT id FROM uploads').map(({ id }) => String(id)))
  for (const { key, begunAt } of bucket.unfinished) {
    const [folder, id = ''] = key.split('/')
    const isExcused =
      folder === 'uploads'
        ? rows.has(id) || !promises.uploads.has(id)
        : world.faults.struck.some(
            ({ at, mishap }) => isHarmful(mishap) && Math.abs(at - begunAt) < hourMs,
          )
    if (!isExcused) world.break(`an upload of ${key} was begun, and neither completed nor dropped`)
  }
}

import type { Order } from '../actors/customer.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'

type Judged = { world: World; database: Database; bucket: Bucket; orders: readonly Order[] }

/** The sweep comes once an hour in calm days, and an upload is kept for a day. */
const sweptWithinMs = 2 * 3_600_000

/** More than a day after the last upload began, those of no video are gone, and those of videos are there. */
export function judgeUploads({ world, database, bucket, orders }: Judged): void {
  const late = database.read(
    'SELECT id, status FROM uploads WHERE expires_at < ?',
    world.loop.wall - sweptWithinMs,
  )
  for (const { id, status } of late) {
    world.break(`the upload ${String(id)} has expired and is still ${String(status)}`)
  }
  const sources = new Set(
    database
      .read("SELECT source ->> 'uploadId' AS id FROM videos WHERE source_deleted_at IS NULL")
      .map(({ id }) => String(id)),
  )
  const rows = new Set(database.read('SELECT id FROM uploads').map(({ id }) => String(id)))
  const tombs = database.read('SELECT prefix FROM tombstones').map(({ prefix }) => String(prefix))
  for (const key of bucket.objects.keys()) {
    const [folder, id = ''] = key.split('/')
    if (folder !== 'uploads' || tombs.some((prefix) => key.startsWith(prefix))) continue
    if (!sources.has(id) && !rows.has(id)) world.break(`the object ${key} is left over`)
  }
  const kept = new Set([...bucket.objects.keys()].map((key) => key.split('/')[1]))
  for (const { videoId, uploadId, wasDeleted, name } of orders) {
    if (videoId === undefined || uploadId === undefined || wasDeleted) continue
    if (sources.has(uploadId) && !kept.has(uploadId)) {
      world.break(`${name}: the file of ${uploadId} is missing, which ${videoId} is made of`)
    }
  }
}

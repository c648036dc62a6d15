import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** Longer than any lateness lasts. */
const undisturbedMs = 25 * 60_000
/** Files that expire within hours are not reused. */
const leftMs = 12 * 3_600_000

/** Called when a video was made. Unless something fails, no other one of its account has the same result with files. */
export function judgeOnce(
  world: World,
  database: Database,
  { videoId, files }: { videoId: string; files: { isLost: (videoId: string) => boolean } },
): void {
  if (world.faults.lastHarmAt > world.now - undisturbedMs) return
  const [same] = database.read<{ id: string }>(
    `SELECT o.id FROM videos AS v JOIN jobs AS j ON j.video_id = v.id JOIN job_attempts AS a ON a.job_id = j.id AND a.fence = j.fence
     JOIN videos AS o ON o.account_id = v.account_id AND o.work = v.work AND o.engine = v.engine AND o.id <> v.id
     WHERE v.id = ?1 AND v.request ->> '$.reuse' IS NOT 0 AND o.status = 'succeeded' AND o.finished_at < a.started_at
       AND o.files_deleted_at IS NULL AND o.files_expire_at > v.finished_at + ?2 AND o.result ->> '$.deliveries' IS NULL`,
    ...[videoId, leftMs],
  )
  if (same && !files.isLost(same.id))
    world.break(`${videoId} was made, and ${same.id} has the same result already`)
}

/** A video that ends with the result of another one has the same account and the same work, and the files exist. */
export function judgeReuse(world: World, database: Database, videoId: string): void {
  const [row] = database.read(
    `SELECT o.id, o.account_id = v.account_id AS isOurs, o.work = v.work AND o.engine = v.engine AS isSame,
      o.files_deleted_at IS NULL AND o.result -> '$.outputs' = v.result -> '$.outputs' AS isWhole,
      v.result -> '$.deliveries' IS NULL OR v.request -> '$.destinations' IS NOT NULL AS isOwn
     FROM videos AS v LEFT JOIN videos AS o ON o.id = v.result ->> '$.reusedFrom' WHERE v.id = ?`,
    videoId,
  )
  const { id, isOurs, isSame, isWhole, isOwn } = row ?? {}
  const name = `${videoId} has the result of ${String(id)}`
  if (id === null) world.break(`${videoId} has the result of a video that is not there`)
  else if (isOurs !== 1) world.break(`${name}, which belongs to another account`)
  else if (isSame !== 1) world.break(`${name}, which is not of the same work`)
  else if (isOwn !== 1) world.break(`${name}, and its deliveries`)
  else if (isWhole !== 1) world.break(`${name}, whose files are not the same`)
}

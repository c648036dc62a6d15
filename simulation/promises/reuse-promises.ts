import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** Whether a video has the result of another one. */
export function isReused(database: Database, videoId: string): boolean {
  const sql = "SELECT result ->> 'reusedFrom' AS id FROM videos WHERE id = ?"
  return typeof database.read(sql, videoId)[0]?.['id'] === 'string'
}

/** The result of another video answers the same request of the same account, and its files are there. */
export function judgeReuse(
  world: World,
  database: Database,
  { videoId, from }: { videoId: string; from: string },
): void {
  const [row] = database.read(
    `SELECT o.account_id = v.account_id AND o.work = v.work AND o.engine = v.engine
        AND o.files_deleted_at IS NULL AND o.files_expire_at > ?
        AND o.request ->> 'enableThumbnail' = v.request ->> 'enableThumbnail'
        AND o.request ->> 'enableTranscription' = v.request ->> 'enableTranscription' AS isSame,
      json_extract(o.result, '$.outputs') = json_extract(v.result, '$.outputs') AS hasSame
     FROM videos AS v JOIN videos AS o ON o.id = ? WHERE v.id = ?`,
    world.loop.wall,
    from,
    videoId,
  )
  if (row?.['isSame'] === 1 && row['hasSame'] === 1) return
  world.break(`${videoId} has the result of ${from}, which does not answer it`)
}

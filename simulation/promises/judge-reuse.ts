import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** A video has ended with the result of another one: of the same account, of the same work, and with files that are there. */
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

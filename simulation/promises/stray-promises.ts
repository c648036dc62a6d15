import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'

type Judged = { world: World; database: Database; bucket: Bucket; isSweepless: boolean }

const hourMs = 3_600_000
/** No sweep removes anything that is younger than a day. */
const youngMs = 23 * hourMs
/** Names with which a listing begins and ends. */
const nobodys = ['videos/v_00000000', 'videos/v_zzzzzzzz']

/**
 * Stores objects that no row names, among them one beside the outputs of a video. They stay for a day, because a row may still
 * come to name them; that they are gone in the end is checked with all other objects.
 */
export function leaveStrays({ world, database, bucket, isSweepless }: Judged): void {
  // Only the sweep removes them.
  if (isSweepless) return
  const [owner] = database.read(
    "SELECT id FROM videos WHERE status = 'succeeded' AND files_of IS NULL AND files_deleted_at IS NULL",
  )
  const beside = owner ? [`videos/${String(owner['id'])}`] : []
  for (const folder of [...nobodys, ...beside]) {
    bucket.leave(`${folder}/out/99/final.mp4`, 'nobody knows of it, made at fence 99')
  }
  world.loop.in(youngMs, () => {
    for (const folder of nobodys) {
      const key = `${folder}/out/99/final.mp4`
      if (!bucket.objects.has(key)) world.break(`${key} was removed before it was a day old`)
    }
  })
}

import { isTerminal } from '../contract/video/video-state.ts'
import { log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import {
  findWalk,
  listReferring,
  saveWalk,
  type ReferringVideo,
} from '../store/videos/sweep-walks.ts'

const walkName = 'orphans'
const dayMs = 86_400_000
const pagesPerTick = 4
const keysPerPage = 500

/**
 * Once a day, over many ticks: removes outputs that no row refers to, such as those of an attempt that died after
 * storing them and before reporting them. Objects younger than a day are left alone, because a row may still come to
 * refer to them. Unfinished multipart uploads are not objects yet; R2 drops them after 7 days.
 */
export async function sweepOrphans(env: Env, now: number): Promise<void> {
  const known = await findWalk(env.DB, walkName)
  const isOver = known !== undefined && known.cursor === null
  if (isOver && known.startedAt > now - dayMs) return
  const startedAt = known && !isOver ? known.startedAt : now
  let cursor = known?.cursor ?? undefined
  for (let page = 0; page < pagesPerTick; page++) {
    const listed: R2Objects = await env.BUCKET.list({
      prefix: 'videos/',
      limit: keysPerPage,
      ...(cursor === undefined ? {} : { cursor }),
    })
    await removeOrphans(env, listed.objects, now)
    cursor = listed.truncated ? listed.cursor : undefined
    await saveWalk(env.DB, { name: walkName, cursor: cursor ?? null, startedAt })
    if (cursor === undefined) return
  }
}

async function removeOrphans(env: Env, objects: readonly R2Object[], now: number): Promise<void> {
  const old = objects.filter(({ uploaded }) => uploaded.getTime() < now - dayMs)
  const ids = [...new Set(old.map(({ key }) => videoIdOf(key)))]
  const found = await listReferring(env.DB, ids)
  const rows = Map.groupBy(found, ({ id }) => id)
  const orphans = old.flatMap(({ key }) => (isOrphan(key, rows.get(videoIdOf(key))) ? [key] : []))
  if (orphans.length === 0) return
  await env.BUCKET.delete(orphans)
  log('info', 'objects that nothing refers to were removed', { count: orphans.length })
}

function videoIdOf(key: string): string {
  return key.split('/')[1] ?? ''
}

/** `rows`: the videos with files there. That of an unfinished video may still come to refer to files of its attempts. */
function isOrphan(key: string, rows: readonly ReferringVideo[] = []): boolean {
  if (rows.length === 0) return true
  if (key.split('/')[2] !== 'out') return false
  return rows.every((row) => {
    if (!isTerminal(row.status)) return false
    return !row.written.includes(JSON.stringify(key).slice(1, -1))
  })
}

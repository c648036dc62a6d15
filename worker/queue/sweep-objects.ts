import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects.ts'
import {
  listDueTombstones,
  listExpiredFiles,
  listExpiredSources,
  markFilesDeleted,
  markSourcesDeleted,
  settleTombstones,
} from '../store/retention.ts'

/** One tick empties no more prefixes of each kind than this; the next one goes on where it stopped. */
const prefixesPerTick = 200

/** Removes what lies in the bucket of videos that were deleted, or whose files or sources have outlived their time. */
export async function sweepObjects(env: Env, now: number): Promise<void> {
  const stones = await listDueTombstones(env.DB, now, prefixesPerTick)
  const settled = await emptied(env, stones, ({ prefix }) => prefix)
  await settleTombstones(
    env.DB,
    settled.map(({ prefix }) => prefix),
    now,
  )
  const expired = await listExpiredFiles(env.DB, now, prefixesPerTick)
  await markFilesDeleted(env.DB, await emptied(env, expired, videoPrefix), now)
  const sources = await listExpiredSources(env.DB, now, prefixesPerTick)
  const removed = await emptied(env, sources, ({ uploadId }) => uploadPrefix(uploadId))
  await markSourcesDeleted(
    env.DB,
    removed.map(({ videoId }) => videoId),
    now,
  )
}

/** Those whose prefix is empty now. What cannot be removed or noted stays due, and is tried again at the next tick. */
async function emptied<Due>(
  env: Env,
  due: readonly Due[],
  prefixOf: (one: Due) => string,
): Promise<Due[]> {
  const done: Due[] = []
  for (const one of due) {
    const prefix = prefixOf(one)
    try {
      await deleteObjects(env.BUCKET, prefix)
      done.push(one)
    } catch (error) {
      log('error', 'sweep could not remove objects', { prefix, ...describeError(error) })
    }
  }
  return done
}

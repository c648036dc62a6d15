import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects.ts'
import {
  listDueTombstones,
  listExpiredFiles,
  listExpiredSources,
  markFilesDeleted,
  markSourceDeleted,
  settleTombstone,
} from '../store/retention.ts'

/** One tick empties no more prefixes of each kind than this; the next one goes on where it stopped. */
const prefixesPerTick = 200

/** Removes what lies in the bucket of videos that were deleted, or whose files or sources have outlived their time. */
export async function sweepObjects(env: Env, now: number): Promise<void> {
  for (const stone of await listDueTombstones(env.DB, now, prefixesPerTick)) {
    await empty(env, stone.prefix, async () => settleTombstone(env.DB, stone, now))
  }
  for (const videoId of await listExpiredFiles(env.DB, now, prefixesPerTick)) {
    await empty(env, videoPrefix(videoId), async () => markFilesDeleted(env.DB, videoId, now))
  }
  for (const { videoId, uploadId } of await listExpiredSources(env.DB, now, prefixesPerTick)) {
    await empty(env, uploadPrefix(uploadId), async () => markSourceDeleted(env.DB, videoId, now))
  }
}

/** What cannot be removed or noted stays due, and is tried again at the next tick. */
async function empty(env: Env, prefix: string, note: () => Promise<void>): Promise<void> {
  try {
    await deleteObjects(env.BUCKET, prefix)
    await note()
  } catch (error) {
    log('error', 'sweep could not remove objects', { prefix, ...describeError(error) })
  }
}

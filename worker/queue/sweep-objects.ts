import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { deleteObjects, uploadPrefix, videoPrefix } from '../store/objects/objects.ts'
import {
  listDueTombstones,
  listExpiredFiles,
  listExpiredSources,
  markFilesDeleted,
  markSourcesDeleted,
  closeTombstones,
} from '../store/videos/retention.ts'

/** One tick empties this many prefixes of each kind at most; the next one continues. */
const prefixesPerTick = 200
/** A deleted video has files and traces. */
const tombstonesPerTick = 2 * prefixesPerTick

/** Removes the objects of videos that were deleted, and files and sources that have expired. */
export async function sweepObjects(env: Env, now: number): Promise<void> {
  const due = await listDueTombstones(env.DB, now, tombstonesPerTick)
  const emptied = await emptyPrefixes(env, due, ({ prefix }) => prefix)
  await closeTombstones(
    env.DB,
    emptied.map(({ prefix }) => prefix),
    now,
  )
  const files = await listExpiredFiles(env.DB, now, prefixesPerTick)
  const filesAlone = files.filter(({ isShared }) => !isShared)
  const gone = await emptyPrefixes(env, filesAlone, ({ owner }) => videoPrefix(owner))
  await markFilesDeleted(env.DB, idsOf([...gone, ...files.filter(({ isShared }) => isShared)]), now)
  const sources = await listExpiredSources(env.DB, now, prefixesPerTick)
  const ownedAlone = sources.filter(({ isShared }) => !isShared)
  const removed = await emptyPrefixes(env, ownedAlone, ({ uploadId }) => uploadPrefix(uploadId))
  const left = [...removed, ...sources.filter(({ isShared }) => isShared)]
  await markSourcesDeleted(env.DB, idsOf(left), now)
}

function idsOf(rows: readonly { videoId: string }[]): string[] {
  return rows.map(({ videoId }) => videoId)
}

/** Returns those whose prefix is empty now. The others stay due, and the next tick tries them again. */
async function emptyPrefixes<Due>(
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

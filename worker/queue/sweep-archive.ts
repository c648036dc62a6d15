import { fewAtOnce } from '../contract/few-at-once.ts'
import { inPortions } from '../contract/in-groups.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import {
  archivedRecordKey,
  deleteArchived,
  putArchived,
  type ArchivedIds,
  type StoredVideo,
} from '../store/videos/archive.ts'
import { listLeaving, readStored, removeStored } from '../store/videos/leave-database.ts'
import { listBuried } from '../store/videos/retention.ts'

/** One tick archives this many videos at most, with four calls of the bucket each; the next one continues. */
const videosPerTick = 200
/** Videos that are read, written and removed together: few enough for the memory of a Worker. */
const videosAtOnce = 50
const bytesAtOnce = 8 * 1024 * 1024
/** As many connections as one invocation may have open. */
const writesAtOnce = 6
const stepMs = 15_000

/**
 * Moves videos that are older than their account wants from the database to the bucket. Each is written and read back
 * before its rows are removed, so one of the two always has it. If a tick dies in between, the next one does it again.
 */
export async function sweepArchive(env: Env, now: number): Promise<void> {
  const until = performance.now() + stepMs
  const due = await listLeaving(env.DB, now, videosPerTick)
  let moved = 0
  const most = { entries: videosAtOnce, bytes: bytesAtOnce }
  for (const some of inPortions(due, ({ sizeBytes }) => sizeBytes, most)) {
    if (performance.now() > until) break
    moved += await moveToArchive(
      env,
      some.map(({ id }) => id),
    )
  }
  if (moved > 0) log('info', 'videos were archived', { count: moved })
}

/** Returns how many have left the database. */
async function moveToArchive(env: Env, videoIds: readonly string[]): Promise<number> {
  const read = await readStored(env.DB, videoIds)
  const written = await writeAll(env, read)
  const removed = await removeStored(
    env.DB,
    written.map(({ ids, updatedAt }) => ({ id: ids.videoId, updatedAt })),
  )
  const others = read.map(idsOf).filter(({ videoId }) => !removed.has(videoId))
  await dropDeleted(env, others)
  return removed.size
}

/**
 * Removes the records of videos that were deleted while they were archived, even if writing them failed halfway. An
 * earlier sweep may have archived such a video, and then this is its only record, so only a tombstone proves that it was
 * deleted. The record of a video that has changed is replaced when it is archived; until then its row is read first.
 */
async function dropDeleted(env: Env, several: readonly ArchivedIds[]): Promise<void> {
  const keyOf = ({ accountId, videoId }: ArchivedIds) => archivedRecordKey(accountId, videoId)
  const buried = new Set(await listBuried(env.DB, several.map(keyOf)))
  await deleteArchived(
    env.BUCKET,
    several.filter((ids) => buried.has(keyOf(ids))),
  )
}

type ArchiveMark = { ids: ArchivedIds; updatedAt: number }

/** Returns those that the bucket now has. The others stay in the database, and the next tick tries them again. */
async function writeAll(env: Env, videos: readonly StoredVideo[]): Promise<ArchiveMark[]> {
  const written: ArchiveMark[] = []
  await fewAtOnce(videos, writesAtOnce, async (stored) => {
    const ids = idsOf(stored)
    try {
      await write(env, ids, stored)
      written.push({ ids, updatedAt: Number(stored.video['updated_at']) })
    } catch (error) {
      const { videoId } = ids
      log('error', 'a video could not be archived', { videoId, ...describeError(error) })
    }
  })
  return written
}

/**
 * Another sweep may have written a record of this video: an earlier one that died before it removed the rows, or one that
 * works now and has read the row before its last change. So a record is replaced only if the row is still as it was read
 * after that record was seen.
 */
async function write(env: Env, ids: ArchivedIds, stored: StoredVideo): Promise<void> {
  const other = await putArchived(env.BUCKET, ids, stored)
  if (other === undefined) return
  const [now] = await readStored(env.DB, [ids.videoId])
  if (now?.video['updated_at'] !== stored.video['updated_at'])
    throw new Error('the video has changed, or another sweep has archived it')
  if ((await putArchived(env.BUCKET, ids, stored, other)) !== undefined)
    throw new Error('another sweep is archiving the video')
}

function idsOf({ video, job }: StoredVideo): ArchivedIds {
  return {
    accountId: String(video['account_id']),
    videoId: String(video['id']),
    jobId: String(job['id']),
    createdAt: Number(video['created_at']),
  }
}

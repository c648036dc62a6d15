import { AppError } from '../contract/answers/errors.ts'
import { callCourier } from '../durable/courier.ts'
import { isTerminal } from '../contract/video/video-state.ts'
import { describeError, log } from '../service/log.ts'
import { removeAllRenamed, removeRenamed } from '../service/videos/name-speakers.ts'
import { videoNotFound } from '../service/videos/find-video.ts'
import type { Env } from '../settings.ts'
import {
  archivedRecordKey,
  deleteArchived,
  findArchived,
  type ArchivedIds,
} from '../store/videos/archive.ts'
import { deleteObjects, markGone, uploadPrefix, videoPrefix } from '../store/objects/objects.ts'
import { bury, closeTombstones, releaseFiles, releaseSource } from '../store/videos/retention.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { tracePrefix } from '../store/jobs/traces.ts'
import { deleteVideo as removeVideo, removeTextFromEvents } from '../store/videos/videos.ts'

/** A video is archived after its files have expired, so the sweep has nothing to do with one whose files are kept for longer. */
const soonMs = 3_600_000

/**
 * Deletes a video that has ended, with all of its files, wherever its record is. The files go first, because links end
 * with them and not with the record; if the bucket does not answer, nobody is told that the video is deleted.
 */
export async function deleteVideo(env: Env, video: ShownVideo, now: number): Promise<void> {
  const { accountId, id: videoId } = video
  // A video that has ended does not change its state again, so the row that was read still holds.
  if (!isTerminal(video.status)) {
    const message = `The video is ${video.status}; cancel it before deleting it.`
    throw new AppError('Conflict', message)
  }
  const source = video.source && uploadPrefix(video.source.uploadId)
  const isOwn = source && (await releaseSource(env.DB, { videoId, prefix: source }, now))
  const owner = video.filesOf ?? videoId
  const files = { videoId, owner, prefix: videoPrefix(owner) }
  const isLast = await releaseFiles(env.DB, files, now)
  // Other videos share the files and keep them, but the links of this video must end now.
  if (!isLast && owner === videoId) await markGone(env.BUCKET, videoId)
  // The transcript with the names that this video's speakers were given belongs to it alone.
  if (!isLast) await removeAllRenamed(env, video)
  // An attempt may have stored files before the video was given the result of another video.
  const own = [
    ...(isLast ? [files.prefix] : []),
    ...(owner === videoId ? [] : [videoPrefix(videoId)]),
  ]
  const prefixes = [...own, tracePrefix(videoId), ...(isOwn ? [source] : [])]
  for (const prefix of prefixes) await deleteObjects(env.BUCKET, prefix)
  const mayLeave = video.filesExpireAt !== null && video.filesExpireAt <= now + soonMs
  // This tombstone is left to the sweep: one that is archiving the video right now may still write its record.
  const buried = mayLeave ? [...prefixes, archivedRecordKey(accountId, videoId)] : prefixes
  const row = await removeVideo(env.DB, { accountId, videoId, prefixes: buried }, now)
  if (!row) return deleteRecord(env, video, now)
  // The courier finds nothing to deliver any more, and drops the uploads that it has begun.
  if (video.request.destinations) await callCourier(env, videoId)
  try {
    // Another request may have saved names since the files were listed.
    await removeRenamed(env, row.transcript?.renamed)
    await closeTombstones(env.DB, prefixes, now)
    if (mayLeave) await deleteArchived(env.BUCKET, [idsOf(video)])
  } catch (error) {
    // The tombstones stay due, so the sweep empties the prefixes once more.
    log('warn', 'tombstones were not settled', { videoId, ...describeError(error) })
  }
}

/** Deletes an archived video, of which the database may still have the log of its webhooks. */
async function deleteRecord(env: Env, video: ShownVideo, now: number): Promise<void> {
  const { accountId, id: videoId } = video
  // Another request may have deleted the record meanwhile.
  if (!(await findArchived(env.BUCKET, accountId, videoId))) throw videoNotFound()
  // A sweep that has read its row before another one removed that may still write the record.
  await bury(env.DB, archivedRecordKey(accountId, videoId), now)
  await removeTextFromEvents(env.DB, { accountId, videoId })
  await deleteArchived(env.BUCKET, [idsOf(video)])
}

function idsOf({ accountId, id, jobId, createdAt }: ShownVideo): ArchivedIds {
  return { accountId, videoId: id, jobId, createdAt }
}

import { AppError } from '../contract/answers/errors.ts'
import type { ChangeVideo } from '../contract/options/create-video.ts'
import { describeError, log } from '../service/log.ts'
import { tryToRemoveRenamed, writeRenamed, type Renamed } from '../service/videos/name-speakers.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { changeVideo as storeChange, findVideo } from '../store/videos/videos.ts'

/** How often a change is tried again because another request saved names for the same video at the same moment. */
const mostTries = 6

const changedByOthers =
  'The names of these speakers are being changed by others. Try again in a moment.'

/** Returns undefined if the database has no such video any more. */
export async function changeVideo(
  env: Env,
  video: ShownVideo,
  { speakerNames, ...change }: ChangeVideo,
): Promise<ShownVideo | undefined> {
  const { id, accountId } = video
  const at = Date.now()
  if (speakerNames === undefined) {
    return (await storeChange(env.DB, accountId, id, { ...change, at }))?.video
  }
  let read = video
  for (let tries = 0; tries < mostTries; tries++) {
    const from = read.transcript?.renamed
    const to = await writeRenamed(env, read, speakerNames)
    const save = async () =>
      storeChange(env.DB, accountId, id, { ...change, renamed: { from, to }, at })
    const changed = from === to ? await save() : await savingFiles(env, video, { from, to, save })
    const isSaved = changed && !changed.isOvertaken
    // Of the former and the new files of names, those that the row does not refer to are removed.
    if (from !== to) await tryToRemoveRenamed(env, isSaved ? from : to)
    if (!changed || isSaved) return changed?.video
    read = changed.video
  }
  throw new AppError('Conflict', changedByOthers, { retryAfterSeconds: 1 })
}

type Saving<Saved> = {
  from: Renamed | undefined
  to: Renamed | undefined
  save: () => Promise<Saved>
}

/** A statement that failed may have been carried out all the same, so the row is read to see which files must stay. */
async function savingFiles<Saved>(
  env: Env,
  { id, accountId }: ShownVideo,
  { from, to, save }: Saving<Saved>,
): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    try {
      const now = await findVideo(env.DB, accountId, id)
      const isSaved = now && wordsOf(now.transcript?.renamed) === wordsOf(to)
      await tryToRemoveRenamed(env, isSaved ? from : to)
    } catch (unread) {
      log('warn', 'named transcripts may have stayed', { videoId: id, ...describeError(unread) })
    }
    throw error
  }
}

/** Each change of names has files of its own. */
const wordsOf = (renamed: Renamed | undefined) => renamed?.files['transcript-json']?.key

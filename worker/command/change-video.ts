import { AppError } from '../contract/answers/errors.ts'
import type { ChangeVideo } from '../contract/options/create-video.ts'
import { describeError, log } from '../service/log.ts'
import { tryToRemoveRenamed, writeRenamed, type Renamed } from '../service/videos/name-speakers.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { changeVideo as storeChange, findVideo } from '../store/videos/videos.ts'

/** How often names are put together with those that others save at the same moment. */
const mostTries = 6

/** Undefined if the database has no such video any more. */
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
    const changed = from === to ? await save() : await savingFiles(env, video, { to, save })
    const isSaved = changed && !changed.isOvertaken
    // Files that nothing names any more: those of the names before, or those that could not be saved.
    if (from !== to) await tryToRemoveRenamed(env, isSaved ? from : to)
    if (!changed || isSaved) return changed?.video
    read = changed.video
  }
  const message = 'The names of these speakers are being changed by others. Try again in a moment.'
  throw new AppError('Conflict', message, { retryAfterSeconds: 1 })
}

type Saving<Saved> = { to: Renamed | undefined; save: () => Promise<Saved> }

/** A statement that fails may have been carried out, so the row says whether its files are to stay. */
async function savingFiles<Saved>(
  env: Env,
  { id, accountId }: ShownVideo,
  { to, save }: Saving<Saved>,
): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    try {
      const now = (await findVideo(env.DB, accountId, id))?.transcript?.renamed
      const isSaved = now?.files['transcript-json']?.key === to?.files['transcript-json']?.key
      if (!isSaved) await tryToRemoveRenamed(env, to)
    } catch (unread) {
      log('warn', 'named transcripts may have stayed', { videoId: id, ...describeError(unread) })
    }
    throw error
  }
}

import type { ChangeVideo } from '../contract/options/create-video.ts'
import { tryToRemoveRenamed, writeRenamed } from '../service/videos/name-speakers.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { changeVideo as storeChange } from '../store/videos/videos.ts'

/** Undefined if the database has no such video any more. */
export async function changeVideo(
  env: Env,
  video: ShownVideo,
  { speakerNames, ...change }: ChangeVideo,
): Promise<ShownVideo | undefined> {
  const { id, accountId } = video
  const at = Date.now()
  if (speakerNames === undefined) return storeChange(env.DB, accountId, id, { ...change, at })
  const renamed = (await writeRenamed(env, video, speakerNames)) ?? null
  const changed = await storeChange(env.DB, accountId, id, { ...change, renamed, at })
  // Files that nothing names any more: those of the names before, or of a video that was deleted meanwhile.
  await tryToRemoveRenamed(env, changed ? video.transcript?.renamed : (renamed ?? undefined))
  return changed
}

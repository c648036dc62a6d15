import type { Context } from 'hono'
import { cancelVideo } from '../../command/cancel-video.ts'
import { deleteVideo } from '../../command/delete-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { findKeptVideo } from '../../service/videos/find-video.ts'
import { describeError, log } from '../../service/log.ts'
import type { Env } from '../../settings.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideoCards } from '../../store/videos/video-cards.ts'
import { findVideo } from '../../store/videos/videos.ts'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { findArchivedCards } from './list/archived-cards.ts'
import { confirmPage } from './confirm-page.tsx'
import { writeDone, type Done } from './done.ts'
import { actionForm, type Action, type ActionForm } from './video-actions.ts'

/** POST /app/videos: cancels or deletes the chosen videos. Where no script has asked for confirmation, the answer does. */
export async function actOnVideos(c: Context<AppEnv>): Promise<Response> {
  const member = memberOf(c)
  const form = await readForm(c)
  const { action, isConfirmed } = form.action
  if (!isConfirmed && form.videoIds.length > 0) {
    const { accountId } = member
    const listed = await findVideoCards(c.env.DB, accountId, form.videoIds)
    const rest = form.videoIds.filter((id) => !listed.some((video) => video.id === id))
    const videos = [...listed, ...(await findArchivedCards(c.env.BUCKET, accountId, rest))]
    return sendPage(c, confirmPage({ action, videos, back: form.back }))
  }
  const done = await actOnEach(c.env, member.accountId, action, form.videoIds)
  return c.redirect(nextAddress(form, done), 303)
}

async function readForm(c: Context<AppEnv>): Promise<ActionForm> {
  const form = await c.req.formData().catch(() => new FormData())
  const parsed = actionForm.safeParse({
    action: form.get('action'),
    videoIds: form.getAll('videoId'),
    back: form.get('back'),
  })
  if (parsed.success) return parsed.data
  throw new AppError('ValidationError', 'This page is out of date. Reload it and try again.')
}

/** One video after another, because each takes several statements. A failure does not keep the others from being done. */
async function actOnEach(
  env: Env,
  accountId: string,
  action: Action,
  ids: readonly string[],
): Promise<Done> {
  const done: Done = { what: action === 'cancel' ? 'canceled' : 'deleted', count: 0, refused: 0 }
  for (const id of new Set(ids)) {
    const video = await findKeptVideo(env, accountId, id)
    // Another tab may have deleted the video.
    if (!video) continue
    if (await act(env, done.what, video)) done.count++
    else done.refused++
  }
  return done
}

async function act(env: Env, what: Done['what'], video: ShownVideo): Promise<boolean> {
  try {
    if (what === 'canceled') {
      if (isTerminal(video.status)) return video.status === 'canceled'
      await cancelVideo(env, video)
    } else {
      await deleteVideo(env, await ended(env, video), Date.now())
    }
    return true
  } catch (error) {
    log('warn', `a video was not ${what}`, { videoId: video.id, ...describeError(error) })
    return false
  }
}

/** Cancels a video that is still being made before it is deleted; it may end by itself at that moment. */
async function ended(env: Env, video: ShownVideo): Promise<ShownVideo> {
  if (isTerminal(video.status)) return video
  try {
    return await cancelVideo(env, video)
  } catch (error) {
    const now = await findVideo(env.DB, video.accountId, video.id)
    if (now && isTerminal(now.status)) return now
    throw error
  }
}

function nextAddress({ action: { action }, back }: ActionForm, done: Done): string {
  // The page of a deleted video cannot be shown again.
  const [path = '', query = ''] =
    action === 'delete' && back.startsWith('/app/videos/') ? ['/app/videos'] : back.split('?')
  const search = new URLSearchParams(query)
  search.set('done', writeDone(done))
  return `${path}?${search.toString()}`
}

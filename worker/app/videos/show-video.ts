import type { Context } from 'hono'
import { changeVideo } from '../../contract/options/create-video.ts'
import { videoId as videoIdSchema } from '../../contract/ids.ts'
import { parseInput, requireParsed } from '../../contract/input/parse-input.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { findVideo, changeVideo as storeChange } from '../../store/videos/videos.ts'
import { changeVideo as changeKept } from '../../command/change-video.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { videoNotFound } from '../../service/videos/find-video.ts'
import { readSettings } from '../../settings.ts'
import { readForm } from '../session/read-form.ts'
import { sendPage, pageLinks } from '../send-page.ts'
import { countAsMember, memberOf } from '../session/require-member.ts'
import { doneText } from './done.ts'
import { readVideoView } from './read-video-view.ts'
import { videoPage, type Refused } from './video-page.tsx'

/** GET /app/videos/{videoId} */
export async function showVideo(c: Context<AppEnv>): Promise<Response> {
  return answerWithVideo(c, requireId(c))
}

/** POST /app/videos/{videoId}: renames the video. */
export async function renameVideo(c: Context<AppEnv>): Promise<Response> {
  const videoId = requireId(c)
  const { accountId } = memberOf(c)
  await countAsMember(c)
  const videoName = (await readForm(c)).get('videoName')
  const parsed = parseInput(changeVideo, { videoName })
  if (!parsed.ok) {
    const fault = parsed.faults[0]?.message ?? 'This name cannot be used'
    const refused = { videoName: videoName ?? '', fault }
    return answerWithVideo(c, videoId, { refusedName: refused })
  }
  const changed = await storeChange(c.env.DB, accountId, videoId, {
    ...parsed.value,
    at: Date.now(),
  })
  if (!changed) throw videoNotFound()
  return c.redirect(`/app/videos/${videoId}`, 303)
}

/**
 * POST /app/videos/{videoId}/speakers: names the speakers of the transcript; an empty field restores the job's name. Names that
 * were not changed on the page stay as they are now, because another page may have changed them since.
 */
export async function nameSpeakers(c: Context<AppEnv>): Promise<Response> {
  const videoId = requireId(c)
  const { accountId } = memberOf(c)
  await countAsMember(c)
  const entered = enteredNames(await readForm(c))
  const video = await findVideo(c.env.DB, accountId, videoId)
  if (!video) throw videoNotFound()
  const names = Object.entries(entered).map(([heard, name]) => [heard, name === '' ? null : name])
  const speakerNames: unknown = Object.fromEntries(names)
  const parsed = parseInput(changeVideo, { speakerNames })
  try {
    if (!(await changeKept(c.env, video, requireParsed(parsed)))) throw videoNotFound()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ValidationError') throw error
    const fault = error.details?.map(({ message }) => message).join('. ') ?? error.message
    return answerWithVideo(c, videoId, { refusedSpeakers: { names: entered, fault } })
  }
  return c.redirect(`/app/videos/${videoId}#transcript`, 303)
}

/** The names that differ from those on the page when it was sent, by the name that the job gave the voice. */
function enteredNames(form: URLSearchParams): Record<string, string> {
  const [names, were] = [form.getAll('name'), form.getAll('was')]
  const pairs = form.getAll('heard').flatMap((who, i) => {
    const name = names[i]?.trim() ?? ''
    return name === were[i]?.trim() ? [] : [[who, name] as const]
  })
  return Object.fromEntries(pairs)
}

function requireId(c: Context<AppEnv>): string {
  const parsed = videoIdSchema.safeParse(c.req.param('videoId'))
  if (!parsed.success) throw videoNotFound()
  return parsed.data
}

async function answerWithVideo(
  c: Context<AppEnv>,
  videoId: string,
  refused: Refused = {},
): Promise<Response> {
  const { accountId } = memberOf(c)
  const settings = readSettings(c.env)
  const now = Date.now()
  const view = await readVideoView(c.env, accountId, videoId, pageLinks(settings, now))
  if (!view) throw videoNotFound()
  const done = doneText.parse(c.req.query('done'))
  const page = videoPage({ view, done, refused, baseUrl: settings.baseUrl, now })
  return sendPage(c, page, refused.refusedName || refused.refusedSpeakers ? 400 : 200)
}

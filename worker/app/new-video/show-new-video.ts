import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { optionsSchema } from '../../contract/options/options.ts'
import { mintToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { presetsOf } from '../../http/presets.ts'
import { findKeptVideo } from '../../service/videos/find-video.ts'
import { readSettings } from '../../settings.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { asClip, asFramed, asNamed } from './request/made-again.ts'
import { type Choices, leaveOut } from './request/build-request.ts'
import { sourceOf } from './request/choose-source.ts'
import { exampleClipAt } from './source-view.tsx'
import { newVideoPage } from './new-video-page.tsx'
import type { NewVideoView } from './new-video-view.ts'
import { spellOut } from './request/shorten-request.ts'

/** GET /app/videos/new */
export async function showNewVideo(c: Context<AppEnv>): Promise<Response> {
  const asked: Record<string, string | undefined> = c.req.query()
  const { from, example } = asked
  const shared = await sharedView(c)
  const fresh: Choices = example === undefined ? {} : { fileUrl: exampleClipAt(shared.baseUrl) }
  const started: StartedForm =
    from === undefined ? { request: fresh } : await startFrom(c, from, asked)
  const view: NewVideoView = {
    ...shared,
    request: spellOut(started.request, shared.defaults),
    source: sourceOf(started.request),
    notice: started.notice,
    again: started.again,
    faults: [],
  }
  return sendPage(c, newVideoPage(view))
}

/** The parts of the page that do not depend on how the form was begun. */
export async function sharedView(c: Context<AppEnv>) {
  const member = memberOf(c)
  const { baseUrl, maxUploadBytes: mostUploadBytes } = readSettings(c.env)
  const presets = await presetsOf(c.env.DB, member.accountId)
  return {
    member,
    defaults: requestDefaults(),
    presets,
    once: mintToken(),
    baseUrl,
    mostUploadBytes,
  }
}

/** The value of each option that a request does not mention. `combine` follows from the source. */
function requestDefaults(): Choices {
  return leaveOut(optionsSchema.parse({}), 'combine')
}

/** `again`: the video whose file is used, and the one for which that file was transcribed. */
type StartedForm = Pick<NewVideoView, 'request' | 'notice' | 'again'>

/** "Do it again": the request of a video as far as it can be sent again, or that for a clip suggested in it. */
async function startFrom(
  c: Context<AppEnv>,
  videoId: string,
  asked: Readonly<Record<string, string | undefined>>,
): Promise<StartedForm> {
  const found = await findKeptVideo(c.env, memberOf(c).accountId, videoId)
  if (!found) throw new AppError('NotFound', 'There is no such video to start from.')
  const given = leaveOut(found.request, 'uploadId', 'sourceVideoId', 'combine', 'preset', 'values')
  const { analyzeOnly, ...options } = given
  // After a video that was only listened to, a real one follows.
  const named = asNamed(analyzeOnly === true ? options : { videoName: found.name, ...given }, found)
  const { clip } = asked
  const whole = asFramed(named, found, asked)
  const request = (clip !== undefined && asClip(whole, found, Number(clip))) || whole
  if ('fileUrl' in request || 'files' in request) return { request }
  if (found.source && found.sourceDeletedAt === null) {
    return {
      request: { sourceVideoId: videoId, ...request },
      again: { name: found.name, heardIn: await heardIn(c, found) },
    }
  }
  const text = `The options are those of “${found.name}”. Its file is no longer kept: choose the file again, or give an address.`
  return { request, notice: { tone: 'idle', text } }
}

/** The video that was made only to listen to this file, if its words are still stored. */
async function heardIn(
  c: Context<AppEnv>,
  { id, request }: ShownVideo,
): Promise<string | undefined> {
  if (request.analyzeOnly) return id
  const { sourceVideoId } = request
  if (sourceVideoId === undefined) return undefined
  const source = await findKeptVideo(c.env, memberOf(c).accountId, sourceVideoId)
  return source?.request.analyzeOnly ? source.id : undefined
}

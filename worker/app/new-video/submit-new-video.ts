import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import { hashSecret, looksLikeToken } from '../../contract/people/secret-token.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { acceptVideo } from '../../http/videos/create-video.ts'
import type { IdempotencyScope } from '../../store/idempotency.ts'
import { sendPage } from '../send-page.ts'
import { countAsMember, memberOf } from '../session/require-member.ts'
import { buildRequest, type Choices } from './request/build-request.ts'
import { chooseSource, readSource, type SourceKind, atSource } from './request/choose-source.ts'
import { newVideoPage, requestFields } from './new-video-page.tsx'
import { readVideoForm } from './request/read-video-form.ts'
import { sharedView } from './show-new-video.ts'
import { spellOut } from './request/shorten-request.ts'
import { readForm } from '../session/read-form.ts'

type Sent = { entered: Choices; request: Choices; source: SourceKind; once: string | null }

/** POST /app/videos/new: creates a video from the form where no script does. */
export async function submitNewVideo(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = memberOf(c)
  await countAsMember(c)
  const sent = await readSent(c)
  try {
    const scope = await scopeOf(c, sent)
    const { videoId } = await acceptVideo(c.env, { accountId, body: sent.request, scope })
    return c.redirect(`/app/videos/${videoId}`, 303)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return refuse(c, sent, error)
  }
}

async function readSent(c: Context<AppEnv>): Promise<Sent> {
  const form = await readForm(c, limits.jsonBodyBytes)
  const source = readSource(form.get('source') ?? undefined)
  const controls = [...form].filter(([name]) => name !== 'source' && name !== 'once')
  const entered = buildRequest(readVideoForm(requestFields(), controls))
  return { entered, request: chooseSource(entered, source), source, once: form.get('once') }
}

/** A key for the content of the form: sent twice it makes one video, sent after a change another one. */
async function scopeOf(
  c: Context<AppEnv>,
  { request, once }: Sent,
): Promise<IdempotencyScope | undefined> {
  if (once === null || !looksLikeToken(once)) return undefined
  const idempotencyKey = `${once}.${await hashSecret(JSON.stringify(request))}`
  const { personId } = memberOf(c)
  return { keyId: personId, endpoint: 'POST /app/videos/new', idempotencyKey }
}

async function refuse(c: Context<AppEnv>, sent: Sent, error: AppError): Promise<Response> {
  const shared = await sharedView(c)
  const faults = (error.details ?? []).map((fault) => atSource(fault, sent.source))
  const page = newVideoPage({
    ...shared,
    request: spellOut(sent.entered, shared.defaults),
    source: sent.source,
    faults,
    notice: faults.length === 0 ? { tone: 'bad', text: error.message } : undefined,
  })
  return sendPage(c, page, error.status)
}

import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { videoId as videoIdSchema } from '../../contract/ids.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { videoNotFound } from '../../service/videos/find-video.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { findVideo, findVideoOfLink } from '../../store/videos/videos.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import { answerWithSource } from '../new-video/send-source.ts'
import { sendPage, pageLinks } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { comparePage } from './compare-page.tsx'
import { readComparison } from './read-comparison.ts'
import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'

/** GET /app/videos/{videoId}/compare */
export async function showComparison(c: Context<AppEnv>): Promise<Response> {
  const videoId = videoIdSchema.safeParse(c.req.param('videoId')).data
  if (videoId === undefined) throw videoNotFound()
  const member = memberOf(c)
  const settings = readSettings(c.env)
  const now = Date.now()
  const of = { accountId: member.accountId, videoId }
  const comparison = await readComparison(c.env, of, {
    linkTo: pageLinks(settings, now),
    keptSource: `/app/videos/${videoId}/source`,
    mayLearnAddress: true,
  })
  if (!comparison) {
    if (!(await findVideo(c.env.DB, member.accountId, videoId))) throw videoNotFound()
    // The page of the video says why nothing can be compared.
    return c.redirect(`/app/videos/${videoId}`, 303)
  }
  const page = comparePage({
    ...{ isShared: false, comparison, storage: settings.storageUrl },
    shared: await makeSharedLink(settings, videoId, now),
  })
  return sendPage(c, page)
}

/** GET /app/shared/{token}: the same for everybody who has the link. */
export async function showShared(c: Context<AppEnv>): Promise<Response> {
  const { video, link } = await findShared(c)
  const settings = readSettings(c.env)
  const now = Date.now()
  const linkTo = makeLinks(settings, now, link.expiresAt)
  const of = { accountId: video.accountId, videoId: video.id }
  const comparison = await readComparison(c.env, of, {
    linkTo,
    keptSource: `/app/shared/${c.req.param('token') ?? ''}/source`,
    mayLearnAddress: false,
  })
  if (!comparison) throw gone()
  const page = comparePage({
    ...{ isShared: true, comparison, storage: settings.storageUrl },
    shared: { expiresAt: link.expiresAt },
  })
  c.header('X-Robots-Tag', 'noindex')
  return sendPage(c, page)
}

/** GET /app/shared/{token}/source */
export async function sendSharedSource(c: Context<AppEnv>): Promise<Response> {
  const { video } = await findShared(c)
  return answerWithSource(c, video)
}

/** The row of a deleted video is gone, so links to it stop working. */
async function findShared(c: Context<AppEnv>): Promise<{ video: VideoRow; link: SharedLink }> {
  const token = c.req.param('token') ?? ''
  const reading = await readSharedLink(readSettings(c.env), token, Date.now())
  if (reading.outcome === 'forged')
    throw new AppError('Forbidden', 'This link is not valid. Check that it was copied whole.')
  if (reading.outcome === 'expired')
    throw new AppError('Forbidden', 'This link has expired. Ask for a new one.')
  const video = await findVideoOfLink(c.env.DB, reading.link.videoId)
  if (!video) throw gone()
  return { video, link: reading.link }
}

function gone(): AppError {
  return new AppError('NotFound', 'What this link showed was deleted or is no longer kept.')
}

const lifetimeMs = 86_400_000

/** The video that a link to a comparison shows, and when the link expires. */
type SharedLink = { videoId: string; expiresAt: number }
/** A link that shows the comparison of a video for a day to everybody who has it. */
async function makeSharedLink(
  settings: Settings,
  videoId: string,
  now: number,
): Promise<{ url: string; expiresAt: number }> {
  const seconds = Math.floor((now + lifetimeMs) / 1000)
  const claim = `${videoId}.${seconds}`
  const token = `${claim}.${await macOf(await keyOf(settings), claim)}`
  return { url: `${settings.baseUrl}/app/shared/${token}`, expiresAt: seconds * 1000 }
}

async function readSharedLink(
  settings: Settings,
  token: string,
  now: number,
): Promise<{ outcome: 'good'; link: SharedLink } | { outcome: 'expired' } | { outcome: 'forged' }> {
  const match = /^((v_[0-9A-Za-z]{8})\.(\d{1,12}))\.([0-9a-f]{64})$/.exec(token)
  const [, claim, videoId, seconds, mac] = match ?? []
  if (!claim || !videoId || !mac) return { outcome: 'forged' }
  if (!(await verifyMac(await keyOf(settings), claim, mac))) return { outcome: 'forged' }
  const expiresAt = Number(seconds) * 1000
  return expiresAt <= now
    ? { outcome: 'expired' }
    : { outcome: 'good', link: { videoId, expiresAt } }
}

/** A key for these links alone, so that no link to a file opens a page. */
async function keyOf({ secret }: Settings): Promise<string> {
  return deriveKey(secret, 'shared-comparisons')
}

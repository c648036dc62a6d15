import { outputKinds, type OutputKind } from '../contract/media-job.ts'
import { deriveKey, macOf, verifyMac } from '../contract/signature.ts'
import type { Settings } from '../settings.ts'
import type { VideoRow } from '../store/tables.ts'
import type { LinkMaker } from './describe-video.ts'
import { shorten } from './name-video.ts'

const linkLifetimeMs = 7 * 86_400_000

export type FileLink = { videoId: string; kind: OutputKind; expiresAt: number }
export type LinkReading =
  { outcome: 'good'; link: FileLink } | { outcome: 'expired' } | { outcome: 'forged' }

async function linkKey(settings: Settings): Promise<string> {
  return deriveKey(settings.secret, 'file-links')
}

/** Links work for 7 days, or until the file expires if that is sooner. Every read signs them again. */
export function makeLinks(settings: Settings, now: number): LinkMaker {
  return async (video, kind) => {
    const output = video.result?.outputs[kind]
    if (!output) return undefined
    const end = Math.min(now + linkLifetimeMs, video.filesExpireAt ?? Infinity)
    if (end <= now) return undefined
    const expiresAt = Math.floor(end / 1000) * 1000
    const token = await signLink(settings, { videoId: video.id, kind, expiresAt })
    const name = encodeURIComponent(fileName(video, kind))
    return { url: `${settings.storageUrl}/files/${token}/${name}`, expiresAt }
  }
}

/**
 * The name under which a browser saves the file: the video's name without characters that a file system refuses or that
 * hide what the name says.
 */
export function fileName(video: Pick<VideoRow, 'name' | 'result'>, kind: OutputKind): string {
  const extension = video.result?.outputs[kind]?.extension ?? 'bin'
  const safe = video.name.replace(/[\p{Cc}\p{Bidi_Control}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_')
  return `${shorten(safe.toWellFormed(), 120)}.${extension}`
}

async function signLink(settings: Settings, link: FileLink): Promise<string> {
  const claim = `${link.videoId}.${link.kind}.${link.expiresAt / 1000}`
  return `${claim}.${await macOf(await linkKey(settings), claim)}`
}

export async function readLink(
  settings: Settings,
  token: string,
  now: number,
): Promise<LinkReading> {
  const match = /^(v_[0-9A-Za-z]{8})\.([a-z-]+)\.(\d{1,12})\.([0-9a-f]{64})$/.exec(token)
  const [, videoId, name, seconds, mac] = match ?? []
  const kind = outputKinds.find((known) => known === name)
  if (!videoId || !kind || !seconds || !mac) return { outcome: 'forged' }
  const claim = `${videoId}.${kind}.${seconds}`
  if (!(await verifyMac(await linkKey(settings), claim, mac))) return { outcome: 'forged' }
  const expiresAt = Number(seconds) * 1000
  if (expiresAt <= now) return { outcome: 'expired' }
  return { outcome: 'good', link: { videoId, kind, expiresAt } }
}

import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'

const lifetimeMs = 86_400_000

/** What a link to a comparison shows, until when. */
export type SharedLink = { videoId: string; expiresAt: number }
type Reading =
  { outcome: 'good'; link: SharedLink } | { outcome: 'expired' } | { outcome: 'forged' }

/** A link that shows the comparison of a video for a day to everybody who has it. */
export async function makeSharedLink(
  settings: Settings,
  videoId: string,
  now: number,
): Promise<{ url: string; expiresAt: number }> {
  const seconds = Math.floor((now + lifetimeMs) / 1000)
  const claim = `${videoId}.${seconds}`
  const token = `${claim}.${await macOf(await keyOf(settings), claim)}`
  return { url: `${settings.baseUrl}/app/shared/${token}`, expiresAt: seconds * 1000 }
}

export async function readSharedLink(
  settings: Settings,
  token: string,
  now: number,
): Promise<Reading> {
  const match = /^((v_[0-9A-Za-z]{8})\.(\d{1,12}))\.([0-9a-f]{64})$/.exec(token)
  const [, claim, videoId, seconds, mac] = match ?? []
  if (!claim || !videoId || !mac) return { outcome: 'forged' }
  if (!(await verifyMac(await keyOf(settings), claim, mac))) return { outcome: 'forged' }
  const expiresAt = Number(seconds) * 1000
  return expiresAt <= now
    ? { outcome: 'expired' }
    : { outcome: 'good', link: { videoId, expiresAt } }
}

/** Of its own, so that no link to a file opens a page. */
async function keyOf({ secret }: Settings): Promise<string> {
  return deriveKey(secret, 'shared-comparisons')
}

import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'

export type PartLink = { uploadId: string; partNumber: number; expiresAt: number }
type PartLinkReading =
  | { outcome: 'good'; link: PartLink }
  | { outcome: 'expired' }
  | { outcome: 'forged' }

async function partKey(settings: Settings): Promise<string> {
  return deriveKey(settings.secret, 'upload-parts')
}

/** Signs addresses for these parts of one upload, valid until it expires. */
export async function signParts(
  settings: Settings,
  upload: { id: string; expiresAt: number },
  partNumbers: readonly number[],
): Promise<{ partNumber: number; url: string }[]> {
  const key = await partKey(settings)
  return Promise.all(
    partNumbers.map(async (partNumber) => {
      const claim = `${upload.id}.${partNumber}.${Math.floor(upload.expiresAt / 1000)}`
      return {
        partNumber,
        url: `${settings.baseUrl}/parts/${claim}.${await macOf(key, claim)}`,
      }
    }),
  )
}

export async function readPartLink(
  settings: Settings,
  token: string,
  now: number,
): Promise<PartLinkReading> {
  const match = /^(u_[0-9A-Za-z]{16})\.(\d{1,5})\.(\d{1,12})\.([0-9a-f]{64})$/.exec(token)
  const [, uploadId, number, seconds, mac] = match ?? []
  if (!uploadId || !number || !seconds || !mac) return { outcome: 'forged' }
  const claim = [uploadId, number, seconds].join('.')
  if (!(await verifyMac(await partKey(settings), claim, mac))) return { outcome: 'forged' }
  const expiresAt = Number(seconds) * 1000
  if (expiresAt <= now) return { outcome: 'expired' }
  return { outcome: 'good', link: { uploadId, partNumber: Number(number), expiresAt } }
}

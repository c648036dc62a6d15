import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'

/**
 * The addresses at which one media worker reaches the service. One on another machine cannot use those of this machine,
 * and one on this machine need not leave it.
 */
export type Reach = {
  reportUrl: string
  /** The address at which this media worker reads or writes what lies at a signed address of the bucket. */
  storage: (signed: string) => Promise<string>
  /** What the addresses of its files begin with, if not the storage URL. */
  files?: string
}

export function reachOf(settings: Settings, worker: string): Reach {
  const { near, reportUrl } = settings
  const storage = async (signed: string) => signed
  if (!near) return { reportUrl, storage }
  if (near.workers.includes(worker)) return { reportUrl: near.url, storage }
  const relayed = async (signed: string) => relayAddress(settings, signed)
  return { reportUrl, storage: relayed, files: reportUrl }
}

async function relayKey({ secret }: Settings): Promise<string> {
  return deriveKey(secret, 'storage-relay')
}

/** The service signs the bucket's address once more, so that it relays no other. */
async function relayAddress(settings: Settings, signed: string): Promise<string> {
  const rest = signed.slice(settings.s3.endpoint.length + 1)
  const mac = await macOf(await relayKey(settings), rest)
  return `${settings.reportUrl}/internal/storage/${base64url(rest)}.${mac}`
}

/** The address of the bucket in a token; undefined if the service did not make the token. */
export async function readRelay(settings: Settings, token: string): Promise<string | undefined> {
  const [, text, mac] = /^([\w-]+)\.([0-9a-f]{64})$/.exec(token) ?? []
  if (!settings.near || text === undefined || mac === undefined) return undefined
  const rest = fromBase64url(text)
  if (!(await verifyMac(await relayKey(settings), rest, mac))) return undefined
  return `${settings.s3.endpoint}/${rest}`
}

/** Signed addresses have ASCII characters only. */
function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

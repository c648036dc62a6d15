import { hex } from '../hex.ts'

/** HMAC-SHA256 over `<unix seconds>.<body>`, in one header: `t=1795231260,v1=<hex>`. */
export const signatureHeader = 'Spool-Signature'

/** Allows for clocks of media workers that are off by minutes, and still makes a captured message expire. */
const toleranceSeconds = 600

/** The time from the first moment at which a signature can be valid to the last. */
export const signatureLifetimeMs = 2 * toleranceSeconds * 1000

const encoder = new TextEncoder()

/** Imported keys are kept, because every link of a record is signed with one of a few. */
const imported = new Map<string, ReturnType<typeof crypto.subtle.importKey>>()
const keptKeys = 100

async function importKey(secret: string) {
  const known = imported.get(secret)
  if (known) return known
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
    'verify',
  ])
  if (imported.size >= keptKeys) imported.clear()
  imported.set(secret, key)
  return key
}

export async function macOf(secret: string, text: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await importKey(secret), encoder.encode(text))
  return hex(new Uint8Array(mac))
}

/** A key for one purpose, so that a signature made for one purpose is not valid for another. */
export async function deriveKey(secret: string, purpose: string): Promise<string> {
  return macOf(secret, `spool:${purpose}`)
}

export async function signMessage(secret: string, body: string, nowMs: number): Promise<string> {
  const timestamp = Math.floor(nowMs / 1000)
  return `t=${timestamp},v1=${await macOf(secret, `${timestamp}.${body}`)}`
}

export async function verifyMessage(
  secret: string,
  body: string,
  header: string | null | undefined,
  nowMs: number,
): Promise<boolean> {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '')
  const [, timestamp, mac] = match ?? []
  if (timestamp === undefined || mac === undefined) return false
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false
  return verifyMac(secret, `${timestamp}.${body}`, mac)
}

/** Compares in constant time, because WebCrypto does. */
export async function verifyMac(secret: string, text: string, macHex: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(macHex)) return false
  const mac = Uint8Array.from(macHex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  return crypto.subtle.verify('HMAC', await importKey(secret), mac, encoder.encode(text))
}

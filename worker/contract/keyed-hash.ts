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

/** Derived keys are kept too: deriving one takes as long as checking something with it. */
const derived = new Map<string, string>()

/** A key for one purpose, so that a signature made for one purpose is not valid for another. */
export async function deriveKey(secret: string, purpose: string): Promise<string> {
  const name = `${secret} ${purpose}`
  const known = derived.get(name)
  if (known !== undefined) return known
  const key = await macOf(secret, `spool:${purpose}`)
  if (derived.size >= keptKeys) derived.clear()
  derived.set(name, key)
  return key
}

/** Compares in constant time, because WebCrypto does. */
export async function verifyMac(secret: string, text: string, macHex: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(macHex)) return false
  const mac = fromHex(macHex)
  return crypto.subtle.verify('HMAC', await importKey(secret), mac, encoder.encode(text))
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += digits[byte] ?? ''
  return text
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

import { randomBase62, toBase62, type Randomness } from '../ids.ts'
import { hashSecret } from './secret-token.ts'

const keyPrefix = 'spool_'
const randomLength = 26
const checksumLength = 6

export const scopes = ['videos:read', 'videos:write', 'keys:manage'] as const
export type Scope = (typeof scopes)[number]

/** `spool_`, 26 random characters and their CRC32, so that a typo is detected without a lookup. */
export function mintApiKey(random?: Randomness): string {
  const body = randomBase62(randomLength, random)
  return keyPrefix + body + keyChecksum(body)
}

export function looksLikeApiKey(text: string): boolean {
  if (!/^spool_[0-9A-Za-z]{32}$/.test(text)) return false
  const body = text.slice(keyPrefix.length, keyPrefix.length + randomLength)
  return text.endsWith(keyChecksum(body))
}

/** The part of a key that may be shown after the key was issued. */
export function keyHint(key: string): string {
  return `${keyPrefix}…${key.slice(-4)}`
}

/** Keys are stored and looked up only by this hash. */
export async function hashApiKey(key: string): Promise<string> {
  return hashSecret(key)
}

export function keyChecksum(body: string): string {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(body)) {
    crc = (crc >>> 8) ^ (remainders[(crc ^ byte) & 0xff] ?? 0)
  }
  return toBase62((crc ^ 0xffffffff) >>> 0, checksumLength)
}

/** The lookup table for the CRC32 of IEEE 802.3: the remainder of each byte value. */
const remainders = Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0)
  }
  return remainder
})
